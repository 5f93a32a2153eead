//! The two cookies: the session, and the token of forms that are filled in before there is a session.
//!
//! Over https their names carry `__Host-` (RFC 6265bis §4.1.3.2): secure, of this host alone, for all paths. On
//! plain http, which is for loopback, that prefix cannot be kept; the other names are never read under https.

use countersign_app::App;
use countersign_app::session::{SignedIn, cookie_name, find_cookie};
use countersign_app::settings::Settings;
use http::{HeaderMap, HeaderValue, header};

/// Which cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// Who is signed in.
    Session,
    /// The token of a form without a session.
    Form,
}

impl Cookie {
    const fn name(self, https: bool) -> &'static str {
        match (self, https) {
            (Self::Session, https) => cookie_name(https),
            (Self::Form, true) => "__Host-cs_form",
            (Self::Form, false) => "cs_form",
        }
    }

    /// Its value in a request. A cookie that is there twice counts as absent: one of them is not ours.
    pub(crate) fn read<'h>(self, settings: &Settings, headers: &'h HeaderMap) -> Option<&'h str> {
        let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        find_cookie(self.name(settings.is_https()), values)
    }

    /// The header that sets it for so many seconds; zero takes it away.
    fn header(self, settings: &Settings, value: &str, seconds: i64) -> Option<HeaderValue> {
        let secure = if settings.is_https() { "; Secure" } else { "" };
        let name = self.name(settings.is_https());
        // Lax and not Strict: a host that sends the person to consent must find them signed in.
        let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        HeaderValue::from_str(&text).ok()
    }
}

/// Puts a fresh session on an answer.
pub(crate) fn begin_session(app: &App, headers: &mut HeaderMap, signed_in: &SignedIn) {
    let seconds = signed_in.expires_at.seconds() - app.now().seconds();
    append(headers, Cookie::Session.header(&app.settings, signed_in.session.reveal(), seconds.max(0)));
}

/// Takes the session away from the browser.
pub(crate) fn end_session(app: &App, headers: &mut HeaderMap) {
    append(headers, Cookie::Session.header(&app.settings, "", 0));
}

/// Puts the token of a form on an answer.
pub(crate) fn begin_form(app: &App, headers: &mut HeaderMap, token: &str) {
    append(headers, Cookie::Form.header(&app.settings, token, 60 * 60));
}

fn append(headers: &mut HeaderMap, value: Option<HeaderValue>) {
    if let Some(value) = value {
        headers.append(header::SET_COOKIE, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(public_url: &str, cookie: &str) -> Option<String> {
        let headers = HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_str(cookie).unwrap())]);
        Cookie::Session.read(&Settings::new(public_url), &headers).map(str::to_owned)
    }

    #[test]
    fn the_plain_name_opens_nothing_under_https() {
        assert_eq!(read("https://sign.example", "cs_session=a"), None);
        assert_eq!(read("https://sign.example", "x=y; __Host-cs_session=a"), Some("a".to_owned()));
        assert_eq!(read("http://localhost:8420", "cs_session=a"), Some("a".to_owned()));
    }

    #[test]
    fn a_cookie_that_is_there_twice_counts_as_absent() {
        assert_eq!(read("http://localhost:8420", "cs_session=a; cs_session=b"), None);
    }

    #[test]
    fn a_cookie_is_kept_from_scripts_and_under_https_from_plain_connections() {
        let header = |url: &str| Cookie::Session.header(&Settings::new(url), "v", 60).unwrap();
        assert_eq!(
            header("https://sign.example"),
            "__Host-cs_session=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"
        );
        assert_eq!(
            header("http://localhost:8420"),
            "cs_session=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"
        );
    }
}
