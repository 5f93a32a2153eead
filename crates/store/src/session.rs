//! Browser sessions: who is signed in, by the hash of the token in their cookie.

use countersign_core::id::UserId;
use countersign_core::time::Timestamp;

use crate::{FromRow, Result, Row, Saved, Tx, record};

record! {
    /// A session.
    pub struct Session in "session" {
        /// SHA-256 of the token in the cookie.
        token_hash: Vec<u8>,
        /// Who is signed in.
        user_id: String,
        /// What every unsafe form of the session repeats.
        csrf: String,
        /// When it began, in milliseconds.
        created_at: i64,
        /// When it was last used, to the minute.
        seen_at: i64,
        /// When the person last entered their password.
        proved_at: i64,
        /// When it ends, used or not.
        expires_at: i64,
        /// When it was ended before its time.
        revoked_at: Option<i64>,
    }
}

/// A live session with its person and their workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// The person.
    pub user_id: String,
    /// Their name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
    /// The workspace that they look at.
    pub workspace_id: String,
    /// Its name.
    pub workspace_name: String,
    /// Its slug.
    pub workspace_slug: String,
    /// Their place in it.
    pub role: String,
    /// What every unsafe form repeats.
    pub csrf: String,
    /// When it was last used, to the minute.
    pub seen_at: i64,
    /// When the person last entered their password.
    pub proved_at: i64,
    /// When it ends, used or not.
    pub expires_at: i64,
}

impl FromRow for Live {
    const COLS: &'static str = "p.id, p.name, p.mail, w.id, w.name, w.slug, wm.role, \
        s.csrf, s.seen_at, s.proved_at, s.expires_at";
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        Ok(Self {
            user_id: row.take()?,
            name: row.take()?,
            mail: row.take()?,
            workspace_id: row.take()?,
            workspace_name: row.take()?,
            workspace_slug: row.take()?,
            role: row.take()?,
            csrf: row.take()?,
            seen_at: row.take()?,
            proved_at: row.take()?,
            expires_at: row.take()?,
        })
    }
}

/// The moments that a live session is measured by.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// This moment; what expires later is alive.
    pub now: Timestamp,
    /// What was used after it is not idle.
    pub idle_since: Timestamp,
}

const FIND_LIVE: &str = "SELECT {cols} FROM session s \
    JOIN person p ON p.id = s.user_id \
    JOIN workspace_member wm ON wm.user_id = s.user_id \
    JOIN workspace w ON w.id = wm.workspace_id \
    WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND s.seen_at > $3 \
    AND p.disabled_at IS NULL ORDER BY wm.created_at, wm.workspace_id LIMIT 1";

/// The session with this hash, if it is neither over, idle nor revoked, and its person may sign in.
pub async fn find_live(t: &Tx<'_>, token_hash: &[u8], clock: Clock) -> Result<Option<Live>> {
    t.opt(FIND_LIVE, &[&token_hash, &clock.now.millis(), &clock.idle_since.millis()]).await
}

const SAVE_SEEN: &str =
    "UPDATE session SET seen_at = $3 WHERE token_hash = $1 AND seen_at = $2 RETURNING user_id";

/// Notes the use of a session that was last `seen` at another moment.
pub async fn save_seen(t: &Tx<'_>, token_hash: &[u8], seen: i64, at: Timestamp) -> Result<Saved> {
    let done: Option<(String,)> = t.opt(SAVE_SEEN, &[&token_hash, &seen, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&token_hash]).await
}

const EXISTS: &str = "SELECT user_id FROM session WHERE token_hash = $1";

const REVOKE: &str =
    "UPDATE session SET revoked_at = $2 WHERE token_hash = $1 AND revoked_at IS NULL RETURNING user_id";

/// Ends a session for good.
pub async fn revoke(t: &Tx<'_>, token_hash: &[u8], at: Timestamp) -> Result<Saved> {
    let done: Option<(String,)> = t.opt(REVOKE, &[&token_hash, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&token_hash]).await
}

const REVOKE_ALL: &str = "UPDATE session SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL";

/// Ends every session of a person for good; tells how many.
pub async fn revoke_all(t: &Tx<'_>, user: UserId, at: Timestamp) -> Result<u64> {
    t.exec(REVOKE_ALL, &[&user.to_string(), &at.millis()]).await
}

const FORGET: &str = "DELETE FROM session WHERE user_id = $1 AND expires_at <= $2";

/// Drops the person's sessions that are over anyway, so that they do not pile up; tells how many.
pub async fn forget_expired(t: &Tx<'_>, user: UserId, now: Timestamp) -> Result<u64> {
    t.exec(FORGET, &[&user.to_string(), &now.millis()]).await
}

const REVOKE_OTHERS: &str =
    "UPDATE session SET revoked_at = $3 WHERE user_id = $1 AND token_hash <> $2 AND revoked_at IS NULL";

/// Ends every session of a person but one for good; tells how many.
pub async fn revoke_others(t: &Tx<'_>, user: UserId, but: &[u8], at: Timestamp) -> Result<u64> {
    t.exec(REVOKE_OTHERS, &[&user.to_string(), &but, &at.millis()]).await
}

const LIST_LIVE: &str = "SELECT token_hash, created_at, seen_at FROM session WHERE user_id = $1 \
    AND revoked_at IS NULL AND expires_at > $2 AND seen_at > $3 ORDER BY seen_at DESC, created_at DESC LIMIT $4";

/// A live session: its hash, when it began, when it was last used.
pub type Seen = (Vec<u8>, i64, i64);

/// The live sessions of a person, the one used last on top.
pub async fn list_live(t: &Tx<'_>, user: UserId, clock: Clock, limit: i64) -> Result<Vec<Seen>> {
    t.all(LIST_LIVE, &[&user.to_string(), &clock.now.millis(), &clock.idle_since.millis(), &limit]).await
}
