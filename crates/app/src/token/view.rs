//! Tokens as their person sees them: never the secret.

use countersign_core::id::TokenId;
use countersign_core::scope::TokenScopes;
use countersign_core::time::Timestamp;

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenView {
    /// Its id.
    pub id: TokenId,
    /// What its person calls it.
    pub name: String,
    /// What it may do.
    pub scopes: TokenScopes,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was last used, to the minute.
    pub used_at: Option<Timestamp>,
}
