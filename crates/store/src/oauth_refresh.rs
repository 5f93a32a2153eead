//! Refresh tokens: each has at most one successor, and keeps the sealed answer that named it.

use countersign_core::time::Timestamp;

use crate::oauth_family::Issued;
use crate::{FromRow, Result, Row, Saved, Tx, record};

record! {
    /// A refresh token.
    pub struct OauthRefresh in "oauth_refresh" {
        /// SHA-256 of the token.
        token_hash: Vec<u8>,
        /// What it descends from.
        family_id: String,
        /// The token that it was exchanged for, if any.
        parent_hash: Option<Vec<u8>>,
        /// The scopes of the access token that came with it.
        scopes: String,
        /// When it was issued, in milliseconds.
        created_at: i64,
        /// When it dies unused.
        expires_at: i64,
        /// When it, or the access token that came with it, was first presented.
        presented_at: Option<i64>,
        /// When it was exchanged.
        rotated_at: Option<i64>,
        /// The token that it was exchanged for.
        successor_hash: Option<Vec<u8>>,
        /// How often the answer was given again.
        replays: i64,
        /// The answer, sealed under the token itself.
        sealed: Option<Vec<u8>>,
    }
}

/// A refresh token with what stands above and behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshFound {
    /// The token.
    pub token: OauthRefresh,
    /// The client of the family.
    pub client_id: String,
    /// The audience of the family.
    pub resource: String,
    /// What the family was granted.
    pub granted: String,
    /// When the family ends, used or not.
    pub family_expires_at: i64,
    /// The connection.
    pub connection_id: String,
    /// The connection's tenant.
    pub workspace_id: String,
    /// The connection's person.
    pub user_id: String,
    /// Not zero when family, connection or person was ended.
    pub ended: i64,
    /// The scopes of the answer.
    pub successor_scopes: Option<String>,
    /// When the successor was exchanged.
    pub successor_rotated_at: Option<i64>,
    /// When the successor, or the access token that came with it, was first presented.
    pub successor_presented_at: Option<i64>,
}

impl FromRow for RefreshFound {
    const COLS: &'static str = "r.token_hash, r.family_id, r.parent_hash, r.scopes, r.created_at, r.expires_at, \
        r.presented_at, r.rotated_at, r.successor_hash, r.replays, r.sealed, f.client_id, f.resource, f.scopes, \
        f.expires_at, c.id, c.workspace_id, c.user_id, \
        CASE WHEN f.revoked_at IS NULL AND c.status = 'active' AND p.disabled_at IS NULL \
          THEN CAST(0 AS BIGINT) ELSE CAST(1 AS BIGINT) END, s.scopes, s.rotated_at, s.presented_at";
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        Ok(Self {
            token: OauthRefresh::from_row(row)?,
            client_id: row.take()?,
            resource: row.take()?,
            granted: row.take()?,
            family_expires_at: row.take()?,
            connection_id: row.take()?,
            workspace_id: row.take()?,
            user_id: row.take()?,
            ended: row.take()?,
            successor_scopes: row.take()?,
            successor_rotated_at: row.take()?,
            successor_presented_at: row.take()?,
        })
    }
}

const PRESENT: &str = "UPDATE oauth_refresh SET presented_at = COALESCE(presented_at, $3) \
    WHERE token_hash = $1 AND family_id IN (SELECT id FROM oauth_family WHERE client_id = $2)";
const FIND: &str = "SELECT {cols} FROM oauth_refresh r JOIN oauth_family f ON f.id = r.family_id \
    JOIN connection c ON c.id = f.connection_id JOIN person p ON p.id = c.user_id \
    LEFT JOIN oauth_refresh s ON s.token_hash = r.successor_hash WHERE r.token_hash = $1";

/// The token with this hash, presented by its client. The first statement writes, so that of callers with the
/// same token one decides after the other; another client's call changes nothing and finds nothing.
pub async fn present(
    t: &Tx<'_>,
    hash: &[u8],
    client_id: &str,
    at: Timestamp,
) -> Result<Option<RefreshFound>> {
    match t.exec(PRESENT, &[&hash, &client_id, &at.millis()]).await? {
        0 => Ok(None),
        _ => t.opt(FIND, &[&hash]).await,
    }
}

/// What a rotation leaves on the token.
#[derive(Clone, Copy, Debug)]
pub struct Rotated<'a> {
    /// SHA-256 of the successor.
    pub successor: &'a [u8],
    /// The answer, sealed under the token.
    pub sealed: &'a [u8],
    /// When.
    pub at: Timestamp,
}

const ROTATE: &str = "UPDATE oauth_refresh SET rotated_at = $2, successor_hash = $3, sealed = $4 \
    WHERE token_hash = $1 AND rotated_at IS NULL RETURNING family_id";
const EXISTS: &str = "SELECT family_id FROM oauth_refresh WHERE token_hash = $1";

/// Exchanges the token for its one successor.
pub async fn rotate(t: &Tx<'_>, hash: &[u8], rotated: Rotated<'_>) -> Result<Saved> {
    let Rotated { successor, sealed, at } = rotated;
    let done: Option<(String,)> = t.opt(ROTATE, &[&hash, &at.millis(), &successor, &sealed]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&hash]).await
}

const RENEW: &str = "UPDATE oauth_refresh SET rotated_at = $3, successor_hash = $4, sealed = $5, replays = 0 \
    WHERE token_hash = $1 AND successor_hash = $2 RETURNING family_id";

/// Puts another successor into the place of `lost`, which never arrived.
pub async fn renew(t: &Tx<'_>, hash: &[u8], lost: &[u8], rotated: Rotated<'_>) -> Result<Saved> {
    let Rotated { successor, sealed, at } = rotated;
    let done: Option<(String,)> = t.opt(RENEW, &[&hash, &lost, &at.millis(), &successor, &sealed]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&hash]).await
}

const REPLAY: &str = "UPDATE oauth_refresh SET replays = replays + 1 \
    WHERE token_hash = $1 AND replays = $2 AND rotated_at IS NOT NULL RETURNING replays";

/// Counts that the answer is given again, as seen at `replays`.
pub async fn count_replay(t: &Tx<'_>, hash: &[u8], replays: i64) -> Result<Saved<i64>> {
    let done: Option<(i64,)> = t.opt(REPLAY, &[&hash, &replays]).await?;
    Saved::sort(t, done.map(|(replays,)| replays), EXISTS, &[&hash]).await
}

const FIND_ISSUED: &str = "SELECT {cols} FROM oauth_refresh r JOIN oauth_family f ON f.id = r.family_id \
    JOIN connection c ON c.id = f.connection_id WHERE r.token_hash = $1";

/// Whose a token is, for giving it back.
pub async fn find_issued(t: &Tx<'_>, hash: &[u8]) -> Result<Option<Issued>> {
    t.opt(FIND_ISSUED, &[&hash]).await
}

const FORGET: &str = "DELETE FROM oauth_refresh WHERE expires_at <= $1";

/// Drops tokens that died before `then`; a successor never dies before the one it came from.
pub async fn forget_expired(t: &Tx<'_>, then: Timestamp) -> Result<u64> {
    t.exec(FORGET, &[&then.millis()]).await
}

const DEAD: &str = "SELECT 1 FROM oauth_refresh WHERE expires_at <= $1 LIMIT 1";

/// Whether there is anything that [`forget_expired`] would drop.
pub async fn any_expired(t: &Tx<'_>, then: Timestamp) -> Result<bool> {
    t.any(DEAD, &[&then.millis()]).await
}
