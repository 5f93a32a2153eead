//! The cookie that opens a session: its name, and its value in a request.
//!
//! Over https the name carries `__Host-` (RFC 6265bis §4.1.3.2): secure, of this host alone, for all paths. On plain
//! http, which is for loopback, that prefix cannot be kept; the other name is never read under https.

use crate::settings::Settings;

/// The name of the cookie.
pub const fn cookie_name(is_https: bool) -> &'static str {
    if is_https { "__Host-cs_session" } else { "cs_session" }
}

/// The value of the cookie in the `Cookie` headers of a request.
pub fn read_cookie<'h>(settings: &Settings, headers: impl Iterator<Item = &'h str>) -> Option<&'h str> {
    find_cookie(cookie_name(settings.is_https()), headers)
}

/// The value of any cookie. One that is there twice counts as absent: one of them is not ours.
pub fn find_cookie<'h>(name: &str, headers: impl Iterator<Item = &'h str>) -> Option<&'h str> {
    let mut values = headers
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(key, _)| *key == name)
        .map(|(_, value)| value);
    let first = values.next()?;
    values.next().is_none().then_some(first)
}
