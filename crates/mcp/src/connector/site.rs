//! Which `Host` and `Origin` a request may carry: those of the public address and of loopback.
//!
//! This is what keeps a page that rebinds its own name to a loopback address from talking to the server
//! (MCP 2026-07-28, Streamable HTTP, security).

use http::Uri;
use http::header::{HOST, HeaderMap, ORIGIN};

const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The addresses under which the server may be reached.
#[derive(Debug, Clone)]
pub(super) struct Site {
    /// Scheme, host and port of the public address; none where it is no address: then loopback alone is served.
    public: Option<(String, String, u16)>,
}

/// Which header named a stranger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stranger {
    /// The request was sent to another name.
    Host,
    /// A page of another site sent it.
    Origin,
}

impl Site {
    /// Reads the configured public address.
    pub(super) fn of(public_url: &str) -> Self {
        let read = || {
            let uri = Uri::try_from(public_url).ok()?;
            let scheme = uri.scheme_str()?.to_ascii_lowercase();
            let port = uri.port_u16().unwrap_or(default_port(&scheme));
            Some((scheme, uri.host()?.to_ascii_lowercase(), port))
        };
        Self { public: read() }
    }

    /// Lets a request through that names us, and comes from us, from loopback, or from no page at all.
    pub(super) fn admit(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Stranger> {
        // HTTP/2 has the name in `:authority` (RFC 9113 §8.3.1).
        let host = match headers.get(HOST) {
            Some(host) => host.to_str().ok().and_then(|host| Uri::try_from(host).ok()),
            None => Some(uri.clone()),
        };
        if !host.is_some_and(|host| host.host().is_some_and(|name| self.is_ours(name))) {
            return Err(Stranger::Host);
        }
        match headers.get(ORIGIN) {
            None => Ok(()),
            Some(origin) if origin.to_str().is_ok_and(|origin| self.is_our_page(origin)) => Ok(()),
            Some(_) => Err(Stranger::Origin),
        }
    }

    fn is_ours(&self, name: &str) -> bool {
        let is_public = self.public.as_ref().is_some_and(|(_, host, _)| name.eq_ignore_ascii_case(host));
        is_public || is_loopback(name)
    }

    fn is_our_page(&self, origin: &str) -> bool {
        let Ok(origin) = Uri::try_from(origin) else { return false };
        let (Some(scheme), Some(host)) = (origin.scheme_str(), origin.host()) else { return false };
        let port = origin.port_u16().unwrap_or(default_port(scheme));
        let host = host.to_ascii_lowercase();
        let own =
            self.public.as_ref().is_some_and(|public| *public == (scheme.to_owned(), host.clone(), port));
        own || (scheme == "http" && is_loopback(&host))
    }
}

fn is_loopback(name: &str) -> bool {
    LOOPBACK.iter().any(|loopback| name.eq_ignore_ascii_case(loopback))
}

fn default_port(scheme: &str) -> u16 {
    if scheme == "https" { 443 } else { 80 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(host: &str, origin: Option<&str>) -> Result<(), Stranger> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        Site::of("https://cs.example").admit(&Uri::from_static("/api/v1/external-mcp"), &headers)
    }

    #[test]
    fn our_own_name_and_loopback_are_served() {
        for host in ["cs.example", "CS.example:443", "localhost:8420", "127.0.0.1:1", "[::1]:8420"] {
            assert_eq!(admit(host, None), Ok(()), "{host}");
        }
        for origin in
            ["https://cs.example", "https://cs.example:443", "http://localhost:5173", "http://[::1]:1"]
        {
            assert_eq!(admit("cs.example", Some(origin)), Ok(()), "{origin}");
        }
    }

    #[test]
    fn other_names_and_pages_are_strangers() {
        for host in [
            "evil.example",
            "cs.example.evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "a b",
        ] {
            assert_eq!(admit(host, None), Err(Stranger::Host), "{host}");
        }
        for origin in [
            "null",
            "http://cs.example",
            "https://cs.example:8443",
            "https://evil.example",
            "https://cs.example.evil.example",
            "https://localhost",
            "cs.example",
        ] {
            assert_eq!(admit("cs.example", Some(origin)), Err(Stranger::Origin), "{origin}");
        }
    }

    #[test]
    fn a_request_that_names_nobody_is_a_stranger() {
        let site = Site::of("http://localhost:8420");
        assert_eq!(site.admit(&Uri::from_static("/x"), &HeaderMap::new()), Err(Stranger::Host));
        assert_eq!(site.admit(&Uri::from_static("http://localhost:8420/x"), &HeaderMap::new()), Ok(()));
    }
}
