//! What a client says about the protocol that it speaks, checked before any of it reaches git.

use http::HeaderMap;

/// The longest header that is taken.
const LONGEST: usize = 128;

/// The `Git-Protocol` header (gitprotocol-v2, "HTTP transport"), when it is one: `version=2`, and further
/// keys between colons. It becomes an environment variable of git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Protocol(Option<String>);

impl Protocol {
    /// Reads the header; one that is not in order counts as none, which is the oldest protocol.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let value = headers.get("git-protocol").and_then(|value| value.to_str().ok());
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'=' | b':' | b'.' | b'-');
        Self(value.filter(|value| value.len() <= LONGEST && value.bytes().all(allowed)).map(str::to_owned))
    }

    /// What git gets as `GIT_PROTOCOL`.
    pub(crate) fn value(&self) -> Option<&str> {
        self.0.as_deref().filter(|value| !value.is_empty())
    }

    /// Whether the client speaks version 2, whose answers have no service line.
    pub(crate) fn is_v2(&self) -> bool {
        self.value().is_some_and(|value| value.split(':').any(|part| part == "version=2"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn read(value: &[u8]) -> Protocol {
        let mut headers = HeaderMap::new();
        headers.insert("git-protocol", HeaderValue::from_bytes(value).unwrap());
        Protocol::of(&headers)
    }

    #[test]
    fn versions_are_read_from_among_other_keys() {
        assert!(read(b"version=2").is_v2());
        assert!(read(b"foo=bar:version=2:object-format=sha1").is_v2());
        for other in ["version=1", "version=22", "xversion=2", "version=2.0", ""] {
            assert!(!read(other.as_bytes()).is_v2(), "{other}");
        }
        assert_eq!(Protocol::of(&HeaderMap::new()).value(), None);
    }

    #[test]
    fn what_is_not_in_order_never_reaches_git() {
        let long = format!("version=2:{}", "a".repeat(LONGEST));
        for bad in
            [&b"version=2 --evil"[..], b"version=2;x", b"version=2\tx", b"$(x)", b"\xff", long.as_bytes()]
        {
            assert_eq!(read(bad).value(), None, "{bad:?}");
        }
    }
}
