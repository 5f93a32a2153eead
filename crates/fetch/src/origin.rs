//! Where a server is: scheme, host and port, checked once.

use reqwest::Url;

use crate::FetchError;

/// The address of a server, without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(Url);

impl Origin {
    /// Reads `http://host:port` or `https://host`. A path, a query or a password in it is refused, since
    /// each hides a mistake.
    pub fn parse(text: &str) -> Result<Self, FetchError> {
        let wrong = |why| FetchError::Address { address: text.to_owned(), why };
        let url = Url::parse(text.trim()).map_err(|_| wrong("it is no address"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(wrong("it must begin with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("it must not hold a name or a password"));
        }
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it must end after the host and port"));
        }
        Ok(Self(url))
    }

    /// The address of a route below it; `segments` are escaped one by one.
    pub(crate) fn at(&self, segments: &[&str]) -> Url {
        let mut url = self.0.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.clear().extend(segments);
        }
        url
    }
}

impl std::fmt::Display for Origin {
    /// Without a slash at the end.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (text, shown) in [
            ("http://localhost:8420", "http://localhost:8420"),
            ("https://cs.example/", "https://cs.example"),
        ] {
            assert_eq!(Origin::parse(text).unwrap().to_string(), shown);
        }
        for text in
            ["", "localhost:8420", "ftp://x", "http://x/api", "http://x?y", "http://a:b@x", "http://x/#f"]
        {
            assert!(Origin::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_segment_cannot_leave_its_place() {
        let origin = Origin::parse("http://localhost:8420").unwrap();
        let url = origin.at(&["api", "v1", "proposals", "../../git?x#y"]);
        assert_eq!(url.as_str(), "http://localhost:8420/api/v1/proposals/..%2F..%2Fgit%3Fx%23y");
    }
}
