//! The audience of a token (RFC 8707): the connector's URL, absent or exact.

use super::params::{Params, Repeated};
use super::refusal::{OAuthError, OAuthRefusal};

/// The refusal for any other audience.
pub const INVALID_TARGET: OAuthRefusal = OAuthRefusal::new(
    OAuthError::InvalidTarget,
    "Name the connector's own URL as `resource`, once, or leave it out.",
);

/// Checks the `resource` parameter against the one resource that this server guards.
///
/// Left out, it means that one; several, or another, are refused before anything is consumed.
pub fn check(params: &Params, canonical: &str) -> Result<(), OAuthRefusal> {
    match params.once("resource") {
        Ok(None) => Ok(()),
        Ok(Some(asked)) if same(asked, canonical) => Ok(()),
        Ok(Some(_)) | Err(Repeated) => Err(INVALID_TARGET),
    }
}

/// Equal, but for ASCII case in scheme and host (RFC 3986 §6.2.2.1).
fn same(asked: &str, canonical: &str) -> bool {
    let (left, right) = (split(asked), split(canonical));
    left.0.eq_ignore_ascii_case(right.0) && left.1 == right.1
}

/// Scheme and authority, and what follows them.
fn split(uri: &str) -> (&str, &str) {
    let after_scheme = uri.find("://").map_or(0, |at| at + 3);
    let end = uri[after_scheme..].find(['/', '?', '#']).map_or(uri.len(), |at| after_scheme + at);
    uri.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANONICAL: &str = "https://cs.example/api/v1/external-mcp";

    fn ask(values: &[&str]) -> Result<(), OAuthRefusal> {
        check(&Params::new(values.iter().map(|v| ("resource".to_owned(), (*v).to_owned()))), CANONICAL)
    }

    #[test]
    fn left_out_or_exact_is_the_connector() {
        assert_eq!(ask(&[]), Ok(()));
        assert_eq!(ask(&[CANONICAL]), Ok(()));
        assert_eq!(ask(&["HTTPS://CS.example/api/v1/external-mcp"]), Ok(()));
    }

    #[test]
    fn anything_else_is_refused() {
        for other in [
            "https://cs.example/api/v1/external-mcp/",
            "https://cs.example/API/v1/external-mcp",
            "https://cs.example",
            "https://cs.example/",
            "https://evil.example/api/v1/external-mcp",
            "http://cs.example/api/v1/external-mcp",
            "https://cs.example:443/api/v1/external-mcp",
            "https://cs.example/api/v1/external-mcp?x",
            "é",
        ] {
            assert_eq!(ask(&[other]), Err(INVALID_TARGET), "{other}");
        }
        assert_eq!(ask(&[CANONICAL, CANONICAL]), Err(INVALID_TARGET));
    }
}
