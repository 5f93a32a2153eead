//! Authorization codes: the hash stays after use, so that a replay is recognised.

use countersign_core::time::Timestamp;

use crate::{FromRow, Result, Row, Saved, Tx, record};

record! {
    /// A code.
    pub struct OauthCode in "oauth_code" {
        /// SHA-256 of the code.
        code_hash: Vec<u8>,
        /// What will descend from it.
        family_id: String,
        /// The client that it was issued to.
        client_id: String,
        /// Where it was sent.
        redirect_uri: String,
        /// The PKCE challenge.
        challenge: String,
        /// The audience.
        resource: String,
        /// What was granted.
        scopes: String,
        /// When it dies, in milliseconds.
        expires_at: i64,
        /// When it was exchanged.
        used_at: Option<i64>,
    }
}

/// A code with what stands above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeFound {
    /// The code.
    pub code: OauthCode,
    /// The connection that it is for.
    pub connection_id: String,
    /// The connection's tenant.
    pub workspace_id: String,
    /// The connection's person.
    pub user_id: String,
    /// When the family ends, used or not.
    pub family_expires_at: i64,
    /// The redirect URIs of the client's document as it was shown, a JSON list; none for a registered client.
    pub document_uris: Option<String>,
    /// Not zero when family, connection or person was ended.
    pub ended: i64,
}

impl FromRow for CodeFound {
    const COLS: &'static str = "o.code_hash, o.family_id, o.client_id, o.redirect_uri, o.challenge, o.resource, \
        o.scopes, o.expires_at, o.used_at, c.id, c.workspace_id, c.user_id, f.expires_at, f.document_uris, \
        CASE WHEN f.revoked_at IS NULL AND c.status = 'active' AND p.disabled_at IS NULL \
          THEN CAST(0 AS BIGINT) ELSE CAST(1 AS BIGINT) END";
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        Ok(Self {
            code: OauthCode::from_row(row)?,
            connection_id: row.take()?,
            workspace_id: row.take()?,
            user_id: row.take()?,
            family_expires_at: row.take()?,
            document_uris: row.take()?,
            ended: row.take()?,
        })
    }
}

const FIND: &str = "SELECT {cols} FROM oauth_code o JOIN oauth_family f ON f.id = o.family_id \
    JOIN connection c ON c.id = f.connection_id JOIN person p ON p.id = c.user_id WHERE o.code_hash = $1";

/// The code with this hash, used or not, dead or not.
pub async fn find(t: &Tx<'_>, hash: &[u8]) -> Result<Option<CodeFound>> {
    t.opt(FIND, &[&hash]).await
}

const TAKE: &str =
    "UPDATE oauth_code SET used_at = $2 WHERE code_hash = $1 AND used_at IS NULL RETURNING family_id";
const EXISTS: &str = "SELECT family_id FROM oauth_code WHERE code_hash = $1";

/// Uses the code up; of any number of callers one gets `Done`.
pub async fn take(t: &Tx<'_>, hash: &[u8], at: Timestamp) -> Result<Saved> {
    let done: Option<(String,)> = t.opt(TAKE, &[&hash, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&hash]).await
}

const FORGET: &str = "DELETE FROM oauth_code WHERE expires_at <= $1";

/// Drops codes that died before `then`; tells how many.
pub async fn forget_expired(t: &Tx<'_>, then: Timestamp) -> Result<u64> {
    t.exec(FORGET, &[&then.millis()]).await
}

const DEAD: &str = "SELECT 1 FROM oauth_code WHERE expires_at <= $1 LIMIT 1";

/// Whether there is anything that [`forget_expired`] would drop.
pub async fn any_expired(t: &Tx<'_>, then: Timestamp) -> Result<bool> {
    t.any(DEAD, &[&then.millis()]).await
}
