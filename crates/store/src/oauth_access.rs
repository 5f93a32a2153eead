//! Access tokens: one indexed read tells everything that a call needs to know of its bearer.

use countersign_core::time::Timestamp;

use crate::oauth_family::Issued;
use crate::{FromRow, Result, Row, Tx, record};

record! {
    /// An access token.
    pub struct OauthAccess in "oauth_access" {
        /// SHA-256 of the token.
        token_hash: Vec<u8>,
        /// What it descends from.
        family_id: String,
        /// The connection that it speaks for.
        connection_id: String,
        /// The refresh token that it was issued with.
        refresh_hash: Vec<u8>,
        /// The audience.
        resource: String,
        /// What it may do.
        scopes: String,
        /// When it was issued, in milliseconds.
        created_at: i64,
        /// When it dies.
        expires_at: i64,
        /// When it was first presented; of a pair that replaces none, when it was issued: nothing asks about it.
        presented_at: Option<i64>,
    }
}

/// A presented token with everything above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bearer {
    /// The connection that it speaks for.
    pub connection_id: String,
    /// The connection's tenant.
    pub workspace_id: String,
    /// The connection owner.
    pub user_id: String,
    /// What the token may do.
    pub scopes: String,
    /// What the connection may do.
    pub connection_scopes: String,
    /// Tools that the owner switched off, a JSON list.
    pub switched_off: String,
    /// The audience.
    pub resource: String,
    /// When it dies, in milliseconds.
    pub expires_at: i64,
    /// When it was issued.
    pub created_at: i64,
    /// When it was first presented.
    pub presented_at: Option<i64>,
    /// When the connection's last token was first presented.
    pub used_at: Option<i64>,
    /// `pending`, `active` or `revoked`.
    pub status: String,
    /// When its family was ended.
    pub family_revoked_at: Option<i64>,
    /// When its person was shut out.
    pub disabled_at: Option<i64>,
}

impl FromRow for Bearer {
    const COLS: &'static str = "c.id, c.workspace_id, c.user_id, a.scopes, c.scopes, c.switched_off, a.resource, \
        a.expires_at, a.created_at, a.presented_at, c.used_at, c.status, f.revoked_at, p.disabled_at";
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        Ok(Self {
            connection_id: row.take()?,
            workspace_id: row.take()?,
            user_id: row.take()?,
            scopes: row.take()?,
            connection_scopes: row.take()?,
            switched_off: row.take()?,
            resource: row.take()?,
            expires_at: row.take()?,
            created_at: row.take()?,
            presented_at: row.take()?,
            used_at: row.take()?,
            status: row.take()?,
            family_revoked_at: row.take()?,
            disabled_at: row.take()?,
        })
    }
}

const FIND: &str = "SELECT {cols} FROM oauth_access a JOIN oauth_family f ON f.id = a.family_id \
    JOIN connection c ON c.id = a.connection_id JOIN person p ON p.id = c.user_id WHERE a.token_hash = $1";

/// The token with this hash, dead or not.
pub async fn find(t: &Tx<'_>, hash: &[u8]) -> Result<Option<Bearer>> {
    t.opt(FIND, &[&hash]).await
}

const PRESENT: &str = "UPDATE oauth_access SET presented_at = $2 \
    WHERE token_hash = $1 AND presented_at IS NULL RETURNING refresh_hash, connection_id";
const PRESENT_PAIR: &str =
    "UPDATE oauth_refresh SET presented_at = $2 WHERE token_hash = $1 AND presented_at IS NULL";

/// Notes the first use of a token: its answer arrived, which its refresh token remembers, and its connection
/// is in use. Later uses write nothing.
pub async fn present(t: &Tx<'_>, hash: &[u8], at: Timestamp) -> Result<()> {
    let first: Option<(Vec<u8>, String)> = t.opt(PRESENT, &[&hash, &at.millis()]).await?;
    if let Some((refresh, connection)) = first {
        t.exec(PRESENT_PAIR, &[&refresh, &at.millis()]).await?;
        use_connection(t, &connection, at).await?;
    }
    Ok(())
}

const USE_CONNECTION: &str =
    "UPDATE connection SET used_at = $2 WHERE id = $1 AND (used_at IS NULL OR used_at < $2)";

/// Notes that a connection is in use.
pub async fn use_connection(t: &Tx<'_>, connection: &str, at: Timestamp) -> Result<()> {
    t.exec(USE_CONNECTION, &[&connection, &at.millis()]).await?;
    Ok(())
}

const FIND_ISSUED: &str = "SELECT {cols} FROM oauth_access a JOIN oauth_family f ON f.id = a.family_id \
    JOIN connection c ON c.id = f.connection_id WHERE a.token_hash = $1";

/// Whose a token is, for giving it back.
pub async fn find_issued(t: &Tx<'_>, hash: &[u8]) -> Result<Option<Issued>> {
    t.opt(FIND_ISSUED, &[&hash]).await
}

const FORGET: &str = "DELETE FROM oauth_access WHERE expires_at <= $1";

/// Drops tokens that died before `then`; tells how many.
pub async fn forget_expired(t: &Tx<'_>, then: Timestamp) -> Result<u64> {
    t.exec(FORGET, &[&then.millis()]).await
}

const DEAD: &str = "SELECT 1 FROM oauth_access WHERE expires_at <= $1 LIMIT 1";

/// Whether there is anything that [`forget_expired`] would drop.
pub async fn any_expired(t: &Tx<'_>, then: Timestamp) -> Result<bool> {
    t.any(DEAD, &[&then.millis()]).await
}
