//! The token request (RFC 6749 §4.1.3, §6) and the revocation request (RFC 7009 §2.1), read once.

use super::client_id::ClientKey;
use super::document;
use super::params::{Params, Repeated};
use super::refusal::{OAuthError, OAuthRefusal};
use super::resource;
use crate::scope::Scopes;

/// A token request whose client is one of ours. It has no `Debug`: it holds secrets.
pub enum TokenRequest {
    /// Exchange a code.
    Code {
        /// The client's id.
        client_id: String,
        /// The code.
        code: String,
        /// The redirect URI of the authorization request, exactly.
        redirect_uri: String,
        /// The PKCE verifier.
        verifier: String,
    },
    /// Refresh.
    Refresh {
        /// The client's id.
        client_id: String,
        /// The refresh token.
        token: String,
        /// What is asked for, of what we know; none when nothing is.
        scopes: Option<Scopes>,
    },
}

const fn bad(description: &'static str) -> OAuthRefusal {
    OAuthRefusal::new(OAuthError::InvalidRequest, description)
}

const TWICE: OAuthRefusal = bad("Send each parameter once.");

/// The refusal of a client that this server did not register, so that the host registers anew.
const UNKNOWN_CLIENT: OAuthRefusal =
    OAuthRefusal::new(OAuthError::InvalidClient, "Register the client again: this server does not know it.");

fn needed<'a>(params: &'a Params, name: &str, missing: &'static str) -> Result<&'a str, OAuthRefusal> {
    params.once(name).map_err(|Repeated| TWICE)?.ok_or(bad(missing))
}

fn client(params: &Params, key: &ClientKey) -> Result<String, OAuthRefusal> {
    let id = params.once("client_id").map_err(|Repeated| TWICE)?.ok_or(UNKNOWN_CLIENT)?;
    // A client by its document is known by what was issued to it: its document is never read here.
    let known = key.read(id).is_some() || document::client_url(id).is_some();
    known.then(|| id.to_owned()).ok_or(UNKNOWN_CLIENT)
}

/// Reads a token request. The audience is checked here, before anything could be consumed.
pub fn read(params: &Params, key: &ClientKey, canonical: &str) -> Result<TokenRequest, OAuthRefusal> {
    let grant = needed(params, "grant_type", "Send `grant_type`.")?;
    let client_id = client(params, key)?;
    resource::check(params, canonical)?;
    match grant {
        "authorization_code" => Ok(TokenRequest::Code {
            client_id,
            code: needed(params, "code", "Send the `code`.")?.to_owned(),
            redirect_uri: needed(
                params,
                "redirect_uri",
                "Send the `redirect_uri` of the authorization request.",
            )?
            .to_owned(),
            verifier: needed(params, "code_verifier", "Send the `code_verifier`.")?.to_owned(),
        }),
        "refresh_token" => {
            let token = needed(params, "refresh_token", "Send the `refresh_token`.")?.to_owned();
            let asked = Scopes::parse(params.once("scope").map_err(|Repeated| TWICE)?.unwrap_or_default());
            Ok(TokenRequest::Refresh { client_id, token, scopes: (!asked.is_empty()).then_some(asked) })
        }
        _ => Err(OAuthRefusal::new(
            OAuthError::UnsupportedGrantType,
            "Use `grant_type` `authorization_code` or `refresh_token`.",
        )),
    }
}

/// A revocation request whose client is one of ours. It has no `Debug`: it holds a secret.
pub struct RevocationRequest {
    /// The client's id.
    pub client_id: String,
    /// The token, of whichever kind.
    pub token: String,
}

/// Reads a revocation request. The hint is ignored: the token's prefix tells its kind.
pub fn read_revocation(params: &Params, key: &ClientKey) -> Result<RevocationRequest, OAuthRefusal> {
    let client_id = client(params, key)?;
    Ok(RevocationRequest { client_id, token: needed(params, "token", "Send the `token`.")?.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::super::client_id::Registration;
    use super::super::redirect::RedirectUri;
    use super::*;
    use crate::time::Timestamp;

    const KEY: ClientKey = ClientKey::new([3; 32]);
    const RESOURCE: &str = "https://cs.example/api/v1/external-mcp";

    fn ask(pairs: &[(&str, &str)]) -> Result<TokenRequest, OAuthError> {
        let redirect_uris = vec![RedirectUri::parse("https://h.example/cb").unwrap()];
        let id = KEY
            .issue(&Registration {
                name: "A".to_owned(),
                redirect_uris,
                issued_at: Timestamp::from_millis(0),
            })
            .unwrap();
        let pairs = pairs
            .iter()
            .map(|(n, v)| ((*n).to_owned(), if *v == "ID" { id.clone() } else { (*v).to_owned() }));
        read(&Params::new(pairs), &KEY, RESOURCE).map_err(|refusal| refusal.code)
    }

    #[test]
    fn a_refresh_without_known_scopes_asks_for_none_in_particular() {
        let base = [("grant_type", "refresh_token"), ("client_id", "ID"), ("refresh_token", "t")];
        for scope in ["", "offline_access openid"] {
            let mut pairs = base.to_vec();
            pairs.push(("scope", scope));
            let Ok(TokenRequest::Refresh { scopes, .. }) = ask(&pairs) else { panic!("{scope}") };
            assert_eq!(scopes, None, "{scope}");
        }
    }

    #[test]
    fn an_unknown_client_is_told_before_anything_else_about_the_grant() {
        for id in ["", "x", "cs_cl_AQ.AQ"] {
            let pairs = [("grant_type", "password"), ("client_id", id), ("resource", "https://evil.example")];
            assert_eq!(ask(&pairs).err(), Some(OAuthError::InvalidClient), "{id}");
        }
    }

    #[test]
    fn every_parameter_is_needed_and_comes_once() {
        let all = [
            ("grant_type", "authorization_code"),
            ("client_id", "ID"),
            ("code", "c"),
            ("redirect_uri", "r"),
            ("code_verifier", "v"),
        ];
        assert!(ask(&all).is_ok());
        for at in 0..all.len() {
            let mut fewer = all.to_vec();
            let gone = fewer.remove(at).0;
            let code =
                if gone == "client_id" { OAuthError::InvalidClient } else { OAuthError::InvalidRequest };
            assert_eq!(ask(&fewer).err(), Some(code), "without {gone}");
            let mut more = all.to_vec();
            more.push(all[at]);
            assert_eq!(ask(&more).err(), Some(OAuthError::InvalidRequest), "{gone} twice");
        }
    }

    #[test]
    fn another_audience_and_other_grants_are_refused() {
        let pairs =
            [("grant_type", "authorization_code"), ("client_id", "ID"), ("resource", "https://evil.example")];
        assert_eq!(ask(&pairs).err(), Some(OAuthError::InvalidTarget));
        for grant in ["password", "client_credentials", "implicit", "AUTHORIZATION_CODE"] {
            assert_eq!(
                ask(&[("grant_type", grant), ("client_id", "ID")]).err(),
                Some(OAuthError::UnsupportedGrantType),
                "{grant}"
            );
        }
    }
}
