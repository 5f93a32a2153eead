//! Who asks: a personal access token as the password of Basic authentication (RFC 7617), and nothing else.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use countersign_app::gate::{self, Rate};
use countersign_app::{App, token};
use countersign_core::caller::Caller;
use http::HeaderMap;
use http::header::AUTHORIZATION;

use crate::answer;

/// How a connection's access token begins.
const OF_A_CONNECTION: &str = "cs_at_";

/// The caller of a request that was counted.
pub(crate) struct Asker {
    pub(crate) caller: Caller,
    pub(crate) rate: Rate,
}

/// What a request shows of who sent it.
pub(crate) struct Credential {
    password: Option<String>,
    address: IpAddr,
}

impl Credential {
    /// Takes it from the request; the body stays what it is.
    pub(crate) fn of(request: &Request) -> Self {
        let info = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let address = info.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |info| info.0.ip());
        Self { password: password(request.headers()), address }
    }
}

/// Counts the request and establishes its caller, or answers it.
pub(crate) async fn asker(app: &App, credential: Credential) -> Result<Asker, Response> {
    let Credential { password: secret, address } = credential;
    let known = match &secret {
        Some(secret) => token::authenticate(app, secret).await.map_err(|e| answer::problem(&e))?,
        None => None,
    };
    let caller = known.clone().unwrap_or_else(|| Caller::anonymous(address));
    let (rate, verdict) = gate::admit(app, &caller);
    let refused = |mut response: Response| {
        answer::tell_rate(response.headers_mut(), rate);
        response
    };
    verdict.map_err(|e| refused(answer::problem(&e)))?;
    if known.is_some() {
        return Ok(Asker { caller, rate });
    }
    Err(refused(answer::ask(match secret {
        None => {
            "Git needs a personal access token as its password. Make one with `countersign token create`."
        }
        Some(secret) if secret.starts_with(OF_A_CONNECTION) => {
            "This is the token of an assistant's connection, which opens no repository to git. Use a personal access token."
        }
        Some(_) => {
            "This is no personal access token, or it is over. Make one with `countersign token create`."
        }
    })))
}

/// The password of the request; whatever its user name is.
fn password(headers: &HeaderMap) -> Option<String> {
    let (scheme, value) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(STANDARD.decode(value.trim()).ok()?).ok()?;
    Some(decoded.split_once(':')?.1.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, value.parse().unwrap());
        password(&headers)
    }

    #[test]
    fn the_password_is_taken_and_the_user_name_is_not_looked_at() {
        for user in ["", "git", "x-token", "mira@example.com"] {
            let value = STANDARD.encode(format!("{user}:cs_pat_a:b"));
            assert_eq!(read(&format!("Basic {value}")).as_deref(), Some("cs_pat_a:b"));
            assert_eq!(read(&format!("basic {value}")).as_deref(), Some("cs_pat_a:b"));
        }
    }

    #[test]
    fn anything_else_is_no_credential() {
        let no_colon = format!("Basic {}", STANDARD.encode("cs_pat_a"));
        let binary = format!("Basic {}", STANDARD.encode([b':', 0xff]));
        for value in ["", "Basic", "Basic ", "Basic !!", "Bearer cs_pat_a", &no_colon, &binary] {
            assert_eq!(read(value), None, "{value}");
        }
    }
}
