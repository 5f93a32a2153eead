//! Families of tokens: all that descends from one consent, and how it ends.

use countersign_core::id::{ConnectionId, FamilyId};
use countersign_core::time::Timestamp;

use crate::{FromRow, Result, Row, Saved, Tx, record};

record! {
    /// A family.
    pub struct OauthFamily in "oauth_family" {
        /// Its id.
        id: String,
        /// The connection that it was consented for.
        connection_id: String,
        /// The client that it was issued to.
        client_id: String,
        /// The audience of its tokens.
        resource: String,
        /// What was granted.
        scopes: String,
        /// When the consent was given, in milliseconds.
        created_at: i64,
        /// When it ends, used or not.
        expires_at: i64,
        /// When it was ended before its time.
        revoked_at: Option<i64>,
        /// Why.
        reason: Option<String>,
        /// SHA-256 of the client's document as it was shown; none for a registered client.
        document_hash: Option<Vec<u8>>,
        /// The redirect URIs of that document, a JSON list.
        document_uris: Option<String>,
    }
}

/// Why a family ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyEnd {
    /// A code was presented again.
    CodeReused,
    /// A refresh token was presented again when nothing excused it.
    RefreshReused,
    /// Its client gave it back (RFC 7009).
    GivenBack,
    /// Its connection was revoked.
    ConnectionRevoked,
}

impl FamilyEnd {
    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CodeReused => "code_reused",
            Self::RefreshReused => "refresh_reused",
            Self::GivenBack => "given_back",
            Self::ConnectionRevoked => "connection_revoked",
        }
    }
}

/// Whose a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    /// Its family.
    pub family_id: String,
    /// The client that it was issued to.
    pub client_id: String,
    /// The connection that it speaks for.
    pub connection_id: String,
    /// The connection's tenant.
    pub workspace_id: String,
    /// The connection's person.
    pub user_id: String,
}

impl FromRow for Issued {
    const COLS: &'static str = "f.id, f.client_id, c.id, c.workspace_id, c.user_id";
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        Ok(Self {
            family_id: row.take()?,
            client_id: row.take()?,
            connection_id: row.take()?,
            workspace_id: row.take()?,
            user_id: row.take()?,
        })
    }
}

const REVOKE: &str =
    "UPDATE oauth_family SET revoked_at = $2, reason = $3 WHERE id = $1 AND revoked_at IS NULL RETURNING id";
const EXISTS: &str = "SELECT id FROM oauth_family WHERE id = $1";

/// Ends one family; every token of it is dead with this row.
pub async fn revoke(t: &Tx<'_>, id: FamilyId, end: FamilyEnd, at: Timestamp) -> Result<Saved> {
    let key = id.to_string();
    let done: Option<(String,)> = t.opt(REVOKE, &[&key, &at.millis(), &end.as_str()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&key]).await
}

const REVOKE_ALL: &str =
    "UPDATE oauth_family SET revoked_at = $2, reason = $3 WHERE connection_id = $1 AND revoked_at IS NULL";

/// Ends every family of a connection; tells how many were alive.
pub async fn revoke_of(t: &Tx<'_>, connection: ConnectionId, at: Timestamp) -> Result<u64> {
    t.exec(REVOKE_ALL, &[&connection.to_string(), &at.millis(), &FamilyEnd::ConnectionRevoked.as_str()]).await
}
