//! The errors of OAuth: one table of codes with the status of each at the machine endpoints.

use serde_json::{Value, json};

/// Declares every error code once: variant, wire text, HTTP status at a machine endpoint.
macro_rules! errors {
    ($($(#[$doc:meta])* $variant:ident = $text:literal, $status:literal;)+) => {
        /// An error code of OAuth.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum OAuthError { $($(#[$doc])* $variant),+ }

        impl OAuthError {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The code on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The HTTP status at a machine endpoint.
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status),+ }
            }
        }
    };
}

errors! {
    /// RFC 6749 §4.1.2.1, §5.2.
    InvalidRequest = "invalid_request", 400;
    /// RFC 6749 §5.2: an unknown client is 401, so that hosts register again.
    InvalidClient = "invalid_client", 401;
    /// RFC 6749 §5.2.
    InvalidGrant = "invalid_grant", 400;
    /// RFC 6749 §5.2.
    UnsupportedGrantType = "unsupported_grant_type", 400;
    /// RFC 6749 §4.1.2.1, §5.2.
    InvalidScope = "invalid_scope", 400;
    /// RFC 8707 §2.
    InvalidTarget = "invalid_target", 400;
    /// RFC 6749 §4.1.2.1: the person said no.
    AccessDenied = "access_denied", 403;
    /// RFC 6749 §4.1.2.1.
    UnsupportedResponseType = "unsupported_response_type", 400;
    /// RFC 7591 §3.2.2.
    InvalidRedirectUri = "invalid_redirect_uri", 400;
    /// RFC 7591 §3.2.2.
    InvalidClientMetadata = "invalid_client_metadata", 400;
}

/// A refusal in the words of OAuth. It never holds what the client sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {description}", .code.as_str())]
pub struct OAuthRefusal {
    /// The code.
    pub code: OAuthError,
    /// One sentence for the developer of the client, saying what to do next.
    pub description: &'static str,
}

impl OAuthRefusal {
    /// A refusal with its sentence.
    pub const fn new(code: OAuthError, description: &'static str) -> Self {
        Self { code, description }
    }

    /// `{ "error", "error_description" }` of RFC 6749 §5.2.
    pub fn body(&self) -> Value {
        json!({ "error": self.code.as_str(), "error_description": self.description })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_description_could_stand_in_a_header() {
        for code in OAuthError::ALL {
            assert!(code.as_str().bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{code:?}");
            assert!((400..500).contains(&code.status()), "{code:?}");
        }
    }
}
