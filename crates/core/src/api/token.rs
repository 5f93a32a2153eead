//! Personal access tokens over the REST API.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::TokenId;
use crate::limit;
use crate::time::Timestamp;

/// `POST /api/v1/tokens`: mail and password open the sudo window; no bearer is needed.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeToken {
    /// The mail address of the person.
    #[schemars(length(min = 1, max = limit::MAIL))]
    pub mail: String,
    /// Their password.
    #[schemars(length(min = 1, max = limit::PASSWORD))]
    pub password: String,
    /// What the token is for, in the person's words.
    #[schemars(length(min = 1, max = limit::NAME))]
    pub name: String,
    /// The scopes: `repo:read`, `repo:write`, `api`, `proposals:decide`.
    #[schemars(with = "Vec<crate::scope::TokenScope>", length(min = 1))]
    pub scopes: Vec<String>,
    /// How long it lives, in days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = limit::TOKEN_DAYS))]
    pub days: Option<u32>,
    /// How long it lives, in hours; instead of days. A token with `proposals:decide` lives 24 hours at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = limit::TOKEN_DAYS * 24))]
    pub hours: Option<u32>,
}

impl std::fmt::Debug for MakeToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MakeToken")
            .field("mail", &self.mail)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The answer: the one time that the secret is shown.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub struct MadeToken {
    /// The token's name in lists.
    pub id: TokenId,
    /// The secret.
    pub token: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl std::fmt::Debug for MadeToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MadeToken").field("id", &self.id).finish_non_exhaustive()
    }
}

/// One item of `GET /api/v1/tokens`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TokenItem {
    /// The token.
    pub id: TokenId,
    /// What it is for.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}
