//! Why there is no token: the client's fault or ours, never mixed up.

use countersign_core::oauth::refusal::{OAuthError, OAuthRefusal};
use countersign_core::problem::Problem;

/// Why a token request got none. Hosts forget their sign-in on `invalid_grant`, so trouble of ours must never
/// look like it.
#[derive(Debug, thiserror::Error)]
pub enum TokenFailure {
    /// The request is refused, in the words of OAuth.
    #[error(transparent)]
    Refused(#[from] OAuthRefusal),
    /// We could not tell.
    #[error(transparent)]
    Trouble(#[from] Problem),
}

impl From<countersign_store::Error> for TokenFailure {
    fn from(error: countersign_store::Error) -> Self {
        Self::Trouble(error.into())
    }
}

/// The one answer to every code or refresh token that is not good: it does not tell why.
pub(super) const INVALID_GRANT: OAuthRefusal = OAuthRefusal::new(
    OAuthError::InvalidGrant,
    "Authorize again: this code or refresh token is not good any more.",
);
