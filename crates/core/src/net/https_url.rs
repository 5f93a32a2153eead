//! The https URL of a stranger, read once and strictly: what two readers could read differently is refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The longest one that is read, in bytes.
pub const LONGEST: usize = 512;

/// Where a URL leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// A name of the DNS, in lower case.
    Name(String),
    /// An address that stands in the URL itself.
    Address(IpAddr),
}

/// A URL that begins with `https://` and that every reader reads the same way. Its text is kept as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpsUrl {
    text: String,
    host: Host,
    port: u16,
    /// Where the path begins.
    path: usize,
}

/// Why a text is no such URL; each sentence says what to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlRefusal {
    /// Empty, or longer than [`LONGEST`].
    #[error("give a URL of 1 to 512 characters")]
    Length,
    /// Something that RFC 3986 does not know, or a percent sign without its two digits.
    #[error("use only the characters of RFC 3986, and whole percent-encodings")]
    Characters,
    /// Another scheme, or none.
    #[error("begin the URL with https://")]
    Scheme,
    /// A name or a password before the host.
    #[error("leave user name and password out of the URL")]
    UserInformation,
    /// A host that is none, or an IP address that is not spelled plainly.
    #[error("write the host plainly: a name in lower case, or an IP address in its usual form")]
    Host,
    /// A port that is none.
    #[error("give a port from 1 to 65535, or none")]
    Port,
    /// A `#`.
    #[error("leave the fragment out of the URL")]
    Fragment,
    /// A `.` or `..` in the path, however it is encoded.
    #[error("leave dot segments out of the URL")]
    DotSegment,
}

impl HttpsUrl {
    /// Reads one.
    pub fn parse(text: &str) -> Result<Self, UrlRefusal> {
        check_characters(text)?;
        let rest = text.strip_prefix("https://").ok_or(UrlRefusal::Scheme)?;
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, tail) = rest.split_at(end);
        if authority.contains('@') {
            return Err(UrlRefusal::UserInformation);
        }
        let (host, port) = split_port(authority)?;
        let host = read_host(host)?;
        let path = tail.split('?').next().unwrap_or_default();
        let plain = path.to_ascii_lowercase().replace("%2e", ".").replace("%2f", "/").replace("%5c", "/");
        if plain.split('/').any(|segment| matches!(segment, "." | "..")) {
            return Err(UrlRefusal::DotSegment);
        }
        Ok(Self { text: text.to_owned(), host, port, path: text.len() - tail.len() })
    }

    /// The URL as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Where it leads.
    pub const fn host(&self) -> &Host {
        &self.host
    }

    /// The port, 443 when none is named.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The path as it was written, without the query; empty when there is none.
    pub fn path(&self) -> &str {
        self.text[self.path..].split('?').next().unwrap_or_default()
    }

    /// The host as it stands in the URL.
    pub fn host_text(&self) -> String {
        match &self.host {
            Host::Name(name) => name.clone(),
            Host::Address(IpAddr::V4(address)) => address.to_string(),
            Host::Address(IpAddr::V6(address)) => format!("[{address}]"),
        }
    }

    /// Host and, when it is not 443, port: how a person is told of it.
    pub fn place(&self) -> String {
        if self.port == 443 { self.host_text() } else { format!("{}:{}", self.host_text(), self.port) }
    }
}

fn check_characters(text: &str) -> Result<(), UrlRefusal> {
    if text.is_empty() || text.len() > LONGEST {
        return Err(UrlRefusal::Length);
    }
    if text.contains('#') {
        return Err(UrlRefusal::Fragment);
    }
    let known = |b: u8| b.is_ascii_graphic() && !br#""<>\^`{|}"#.contains(&b);
    let whole = text
        .split('%')
        .skip(1)
        .all(|after| after.len() >= 2 && after.bytes().take(2).all(|b| b.is_ascii_hexdigit()));
    if text.bytes().all(known) && whole { Ok(()) } else { Err(UrlRefusal::Characters) }
}

fn split_port(authority: &str) -> Result<(&str, u16), UrlRefusal> {
    let end = match authority.strip_prefix('[') {
        Some(inner) => inner.find(']').map(|at| at + 2).ok_or(UrlRefusal::Host)?,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at(end);
    let Some(digits) = port.strip_prefix(':') else {
        return if port.is_empty() { Ok((host, 443)) } else { Err(UrlRefusal::Host) };
    };
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| plain).map(|port| (host, port)).ok_or(UrlRefusal::Port)
}

/// A name of the DNS, or an address in the one form that RFC 3986 §3.2.2 knows. Browsers and resolvers read `127.1`,
/// `2130706433`, `0x7f.1` and `0177.0.0.1` as addresses too: whatever ends in a number and is not plain is refused.
fn read_host(host: &str) -> Result<Host, UrlRefusal> {
    if let Some(literal) = host.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        let address = literal.parse::<Ipv6Addr>().map_err(|_| UrlRefusal::Host)?;
        return Ok(Host::Address(address.into()));
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    if last.bytes().next().is_some_and(|b| b.is_ascii_digit()) {
        return host
            .parse::<Ipv4Addr>()
            .map(|address| Host::Address(address.into()))
            .map_err(|_| UrlRefusal::Host);
    }
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'))
    };
    // RFC 1035 §2.3.4.
    if host.len() <= 253 && host.split('.').all(label) {
        Ok(Host::Name(host.to_owned()))
    } else {
        Err(UrlRefusal::Host)
    }
}

#[cfg(test)]
mod tests;
