//! The `WWW-Authenticate` header of a refused call (RFC 6750 §3, RFC 9728 §5.1).

use crate::scope::Scopes;

/// Why a bearer is not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BearerError {
    /// There is none, or it is not good any more. RFC 6750 would leave the code out when there is
    /// none; hosts expect it, and docs/decisions/03-oauth.md keeps it.
    InvalidToken,
    /// It lacks a scope.
    InsufficientScope,
}

impl BearerError {
    /// The code on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidToken => "invalid_token",
            Self::InsufficientScope => "insufficient_scope",
        }
    }
}

/// The header's value: every scope of the operation in one challenge, and where to learn the rest.
pub fn challenge(error: BearerError, scopes: &Scopes, resource_metadata: &str, description: &str) -> String {
    format!(
        "Bearer error=\"{}\", error_description=\"{}\", scope=\"{scopes}\", resource_metadata=\"{}\"",
        error.as_str(),
        quoted(description),
        quoted(resource_metadata),
    )
}

/// What may stand in `error_description` (RFC 6750 §3): visible ASCII and space without quote and backslash.
fn quoted(text: &str) -> String {
    text.chars().map(|c| if matches!(c, ' '..='~') && c != '"' && c != '\\' { c } else { '\'' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scope::Scope;

    #[test]
    fn a_challenge_names_all_scopes_and_the_metadata() {
        let scopes = Scopes::new([Scope::Read, Scope::Write]);
        assert_eq!(
            challenge(
                BearerError::InsufficientScope,
                &scopes,
                "https://h/.well-known/oauth-protected-resource/m",
                "Ask."
            ),
            "Bearer error=\"insufficient_scope\", error_description=\"Ask.\", scope=\"countersign:read countersign:write\", \
             resource_metadata=\"https://h/.well-known/oauth-protected-resource/m\""
        );
    }

    #[test]
    fn nothing_leaves_its_quotes() {
        let text =
            challenge(BearerError::InvalidToken, &Scopes::default(), "https://h", "a\"b\\c\r\nd\u{e9}");
        assert!(text.contains("error_description=\"a'b'c''d'\""), "{text}");
    }
}
