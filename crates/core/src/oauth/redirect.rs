//! Redirect URIs: what may be registered, what may be used, and when two are the same.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::refusal::{OAuthError, OAuthRefusal};

/// The longest one that is read.
const LONGEST: usize = 300;

/// Custom-scheme URIs of known hosts, usable without the operator naming them.
pub const KNOWN_CUSTOM: &[&str] =
    &["cursor://anysphere.cursor-mcp/oauth/callback", "claude://claude.ai/mcp-auth-callback/sdk"];

/// Schemes that run, read or leave the browser; never registered, whatever the operator lists.
const NEVER: &[&str] = &[
    "javascript",
    "data",
    "file",
    "vbscript",
    "blob",
    "about",
    "filesystem",
    "view-source",
    "ws",
    "wss",
    "ftp",
    "mailto",
    "tel",
    "intent",
    "chrome",
    "resource",
    "jar",
];

/// Parameters of our answers; those of the same name in a registered query give way to ours.
const OURS: &[&str] = &["code", "state", "iss", "error", "error_description", "error_uri"];

/// What a redirect URI leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// A web site.
    Https,
    /// An app on the person's own computer, on whatever port it got (RFC 8252 §7.3).
    Loopback,
    /// An app by its own scheme (RFC 8252 §7.1).
    Custom,
}

/// A redirect URI that passed the rules of registration. Its text is kept as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUri {
    text: String,
    kind: RedirectKind,
    /// Where the authority stands, without the port.
    host: std::ops::Range<usize>,
    /// Where the port stands, with its colon.
    port: std::ops::Range<usize>,
}

const fn refusal(description: &'static str) -> OAuthRefusal {
    OAuthRefusal::new(OAuthError::InvalidRedirectUri, description)
}

impl RedirectUri {
    /// Reads one as a registration may hold it.
    pub fn parse(text: &str) -> Result<Self, OAuthRefusal> {
        check_characters(text)?;
        let Some((scheme, rest)) = text.split_once(':') else {
            return Err(refusal("Give an absolute redirect URI."));
        };
        check_scheme(scheme)?;
        let start = scheme.len() + 1;
        match scheme.to_ascii_lowercase().as_str() {
            "https" => Self::web(text, start, RedirectKind::Https),
            "http" => Self::web(text, start, RedirectKind::Loopback),
            _ if rest.is_empty() => Err(refusal("Give a path after the scheme of the redirect URI.")),
            _ => {
                let host = authority(text, start).unwrap_or(start..start);
                Ok(Self { text: text.to_owned(), kind: RedirectKind::Custom, port: host.end..host.end, host })
            }
        }
    }

    fn web(text: &str, start: usize, kind: RedirectKind) -> Result<Self, OAuthRefusal> {
        let all = authority(text, start).ok_or(refusal("Give a host in the redirect URI."))?;
        let (host, port) = split_port(&text[all.clone()])?;
        if kind == RedirectKind::Loopback && !matches!(host, "localhost" | "127.0.0.1" | "[::1]") {
            return Err(refusal("Use https, or http on localhost, 127.0.0.1 or [::1]."));
        }
        check_path(&text[all.end..])?;
        let host_end = all.start + host.len();
        let port = host_end..host_end + port.len();
        Ok(Self { text: text.to_owned(), kind, host: all.start..host_end, port })
    }

    /// The URI as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it leads to.
    pub const fn kind(&self) -> RedirectKind {
        self.kind
    }

    /// Whether a browser that is sent there stays on the person's own computer, whatever the scheme: then any program
    /// of that computer may be the one that listens (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    pub fn stays_on_this_computer(&self) -> bool {
        match self.kind {
            RedirectKind::Https | RedirectKind::Loopback => is_loopback(&self.text[self.host.clone()]),
            RedirectKind::Custom => false,
        }
    }

    /// Whom the person is sent back to, as the consent page names it: host and port, or the scheme.
    pub fn destination(&self) -> &str {
        match self.kind {
            RedirectKind::Https | RedirectKind::Loopback => &self.text[self.host.start..self.port.end],
            RedirectKind::Custom => {
                self.text.split_once("://").map_or(&self.text, |_| &self.text[..self.host.end])
            }
        }
    }

    /// Whether a registration of this URI admits `asked`: the same text, or the same
    /// loopback URI on another port.
    pub fn admits(&self, asked: &Self) -> bool {
        let loopback = self.kind == RedirectKind::Loopback && asked.kind == RedirectKind::Loopback;
        self.text == asked.text || (loopback && self.portless() == asked.portless())
    }

    /// Whether a browser may be sent there: a custom scheme only when this exact URI is listed.
    pub fn usable(&self, listed: &[String]) -> bool {
        match self.kind {
            RedirectKind::Https | RedirectKind::Loopback => true,
            RedirectKind::Custom => KNOWN_CUSTOM.contains(&self.text.as_str()) || listed.contains(&self.text),
        }
    }

    fn portless(&self) -> (&str, &str) {
        (&self.text[..self.port.start], &self.text[self.port.end..])
    }

    /// This URI with our answer in its query. What stands in the query already is kept byte
    /// for byte, but for parameters of our names: there is exactly one of each.
    pub fn answer(&self, params: &[(&str, &str)]) -> String {
        let (base, query) = self.text.split_once('?').unwrap_or((&self.text, ""));
        let kept =
            query.split('&').filter(|pair| !pair.is_empty() && !OURS.contains(&name_of(pair).as_str()));
        let added = params.iter().map(|(name, value)| format!("{name}={}", encode(value)));
        let pairs: Vec<String> = kept.map(str::to_owned).chain(added).collect();
        format!("{base}?{}", pairs.join("&"))
    }
}

/// Whether a host is this computer, as browsers read it: they take `127.1` and `0x7f000001` for addresses too, so that
/// whatever ends in a number and is no plain address counts as one.
fn is_loopback(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if let Some(literal) = host.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        return literal.parse::<Ipv6Addr>().is_ok_and(|v6| stays_here(v6.to_canonical()));
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = last.starts_with("0x") || (!last.is_empty() && last.bytes().all(|b| b.is_ascii_digit()));
    if is_number {
        return host.parse::<Ipv4Addr>().map_or(true, |v4| stays_here(v4.into()));
    }
    last == "localhost"
}

fn stays_here(address: IpAddr) -> bool {
    address.is_loopback() || address.is_unspecified()
}

/// Visible ASCII that RFC 3986 knows, whole percent-encodings, no fragment.
fn check_characters(text: &str) -> Result<(), OAuthRefusal> {
    if text.is_empty() || text.len() > LONGEST {
        return Err(refusal("Give a redirect URI of 1 to 300 characters."));
    }
    if !text.bytes().all(|b| b.is_ascii_graphic() && !br#""<>\^`{|}"#.contains(&b)) {
        return Err(refusal("Use only the characters of RFC 3986 in the redirect URI."));
    }
    if text.contains('#') {
        return Err(refusal("Leave the fragment out of the redirect URI."));
    }
    let whole = text
        .split('%')
        .skip(1)
        .all(|after| after.len() >= 2 && after.bytes().take(2).all(|b| b.is_ascii_hexdigit()));
    if whole { Ok(()) } else { Err(refusal("Complete the percent-encoding of the redirect URI.")) }
}

fn check_scheme(scheme: &str) -> Result<(), OAuthRefusal> {
    let first = scheme.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
    let rest = scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    if !first || !rest {
        return Err(refusal("Begin the redirect URI with a scheme."));
    }
    if NEVER.iter().any(|never| scheme.eq_ignore_ascii_case(never)) {
        return Err(refusal("Use https, a loopback address, or the scheme of your own app."));
    }
    Ok(())
}

/// Where the authority stands, when `//` follows the scheme and a host follows that.
fn authority(text: &str, after_colon: usize) -> Option<std::ops::Range<usize>> {
    let rest = text[after_colon..].strip_prefix("//")?;
    let start = after_colon + 2;
    let end = start + rest.find(['/', '?']).unwrap_or(rest.len());
    (end > start).then_some(start..end)
}

/// Host and port (with its colon) of an authority without user information.
fn split_port(authority: &str) -> Result<(&str, &str), OAuthRefusal> {
    let host_end = match authority.strip_prefix('[') {
        Some(inner) => inner.find(']').map(|at| at + 2),
        None => Some(authority.find(':').unwrap_or(authority.len())),
    };
    let (host, port) = authority.split_at(host_end.ok_or(refusal("Close the bracket of the host."))?);
    let named = !host.is_empty()
        && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'));
    let literal = host
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'))
        .is_some_and(|inner| inner.parse::<std::net::Ipv6Addr>().is_ok());
    if !named && !literal {
        return Err(refusal("Write the host of the redirect URI plainly, without user information."));
    }
    let number = |digits: &str| {
        digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u16>().is_ok_and(|n| n > 0)
    };
    match port.strip_prefix(':') {
        Some(digits) if !number(digits) => Err(refusal("Give the redirect URI a port from 1 to 65535.")),
        None if !port.is_empty() => Err(refusal("Write nothing but a port after the host.")),
        Some(_) | None => Ok((host, port)),
    }
}

/// No `.` or `..` segment, however it is encoded (RFC 3986 §6.2.2.3).
fn check_path(rest: &str) -> Result<(), OAuthRefusal> {
    let path = rest.split('?').next().unwrap_or_default();
    let plain = path.to_ascii_lowercase().replace("%2e", ".").replace("%2f", "/").replace("%5c", "/");
    if plain.split('/').any(|segment| matches!(segment, "." | "..")) {
        return Err(refusal("Leave dot segments out of the redirect URI."));
    }
    Ok(())
}

/// The decoded name of a query pair, as the client's own parser will read it.
fn name_of(pair: &str) -> String {
    let name = pair.split('=').next().unwrap_or_default().as_bytes();
    let mut out = Vec::with_capacity(name.len());
    let mut at = 0;
    while at < name.len() {
        let hex = name.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = (name[at] == b'%').then(|| hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())).flatten();
        out.push(byte.unwrap_or(name[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Percent-encodes all but the unreserved characters of RFC 3986 §2.3.
fn encode(value: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests;
