//! Seals of the audit log: made in one transaction with the records that they cover, and read one by one.

use countersign_core::audit::Row;

use crate::audit::Audit;
use crate::{Result, Tx, record};

record! {
    /// One seal.
    pub struct AuditSeal in "audit_seal" {
        /// Its number; the first is 1, none is missing.
        number: i64,
        /// The digest of the seal before it; 32 zeros before the first.
        previous: Vec<u8>,
        /// Its digest, SHA-256.
        digest: Vec<u8>,
        /// How many records it covers.
        row_count: i64,
        /// When the first of them was, in milliseconds.
        first_at: i64,
        /// When the last of them was, in milliseconds.
        last_at: i64,
        /// When it was made, in milliseconds.
        sealed_at: i64,
        /// The fingerprint of the key.
        key_id: String,
        /// The signature, in the armor of OpenSSH.
        signature: String,
        /// Id and digest of each record, in the order of the seal.
        entries: Vec<u8>,
    }
}

impl Audit {
    /// The columns that a seal covers: every one but the seal itself.
    pub fn sealed_columns(&self) -> Row<'_> {
        let Self {
            id,
            workspace_id,
            at,
            actor_kind,
            actor_id,
            connection_id,
            action,
            resource_id,
            outcome,
            code,
            detail,
            seal_id: _,
        } = self;
        Row {
            id,
            workspace_id: workspace_id.as_deref(),
            at: *at,
            actor_kind,
            actor_id: actor_id.as_deref(),
            connection_id: connection_id.as_deref(),
            action,
            resource_id: resource_id.as_deref(),
            outcome,
            code: code.as_deref(),
            detail,
        }
    }
}

const ANY_UNSEALED: &str = "SELECT 1 FROM audit WHERE seal_id IS NULL LIMIT 1";

/// Whether any record waits for its seal.
pub async fn any_unsealed(t: &Tx<'_>) -> Result<bool> {
    t.any(ANY_UNSEALED, &[]).await
}

const COUNT_UNSEALED: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM audit WHERE seal_id IS NULL";

/// How many records wait for their seal.
pub async fn count_unsealed(t: &Tx<'_>) -> Result<i64> {
    let (count,) = t.one(COUNT_UNSEALED, &[]).await?;
    Ok(count)
}

// The outer condition is for PostgreSQL: who waited for another server's transaction looks at each row anew, and
// leaves alone what has a seal by then.
const TAKE: &str = "UPDATE audit SET seal_id = $1 WHERE seal_id IS NULL AND id IN \
    (SELECT id FROM audit WHERE seal_id IS NULL ORDER BY at, id LIMIT $2) RETURNING {cols}";

/// Marks the oldest records without a seal, at most `limit`, as covered by this one, and gives them in the order of
/// their moments and ids.
pub async fn take(t: &Tx<'_>, seal_id: &str, limit: i64) -> Result<Vec<Audit>> {
    let mut taken: Vec<Audit> = t.all(TAKE, &[&seal_id, &limit]).await?;
    taken.sort_by(|one, other| (one.at, &one.id).cmp(&(other.at, &other.id)));
    Ok(taken)
}

/// The head of the chain: number, digest, when it was made, in milliseconds.
pub type HeadRow = (i64, Vec<u8>, i64);

const HEAD: &str = "SELECT number, digest, sealed_at FROM audit_seal ORDER BY number DESC LIMIT 1";

/// The last seal; none before the first.
pub async fn head(t: &Tx<'_>) -> Result<Option<HeadRow>> {
    t.opt(HEAD, &[]).await
}

const NEXT: &str = "SELECT {cols} FROM audit_seal WHERE number > $1 ORDER BY number LIMIT 1";

/// The first seal behind a number.
pub async fn next(t: &Tx<'_>, after: i64) -> Result<Option<AuditSeal>> {
    t.opt(NEXT, &[&after]).await
}

const FOLLOWING: &str = "SELECT number FROM audit_seal WHERE previous = $1 ORDER BY number LIMIT 1";

/// The number of the seal that names this digest as the one before it. Looks through all seals: for a chain that is
/// broken.
pub async fn following(t: &Tx<'_>, digest: &[u8]) -> Result<Option<i64>> {
    let found: Option<(i64,)> = t.opt(FOLLOWING, &[&digest]).await?;
    Ok(found.map(|(number,)| number))
}

const ROWS: &str = "SELECT {cols} FROM audit WHERE seal_id = $1 ORDER BY at, id LIMIT $2";

/// The records that name a seal, at most `limit`.
pub async fn rows(t: &Tx<'_>, seal_id: &str, limit: i64) -> Result<Vec<Audit>> {
    t.all(ROWS, &[&seal_id, &limit]).await
}

const SEAL_OF: &str = "SELECT seal_id FROM audit WHERE id = $1";

/// The seal that a record names, if there is such a record.
pub async fn seal_of(t: &Tx<'_>, id: &str) -> Result<Option<Option<String>>> {
    let found: Option<(Option<String>,)> = t.opt(SEAL_OF, &[&id]).await?;
    Ok(found.map(|(seal,)| seal))
}

/// A record and the seal that it names.
pub type Claim = (String, String);

const BEFORE: &str = "SELECT id, seal_id FROM audit WHERE seal_id < $1 ORDER BY seal_id LIMIT 1";
const BETWEEN: &str =
    "SELECT id, seal_id FROM audit WHERE seal_id > $1 AND seal_id < $2 ORDER BY seal_id LIMIT 1";

/// A record that names no seal, though something stands where a seal's id would: between two ids that follow each
/// other, or before the first.
pub async fn between(t: &Tx<'_>, after: Option<&str>, before: &str) -> Result<Option<Claim>> {
    match after {
        Some(after) => t.opt(BETWEEN, &[&after, &before]).await,
        None => t.opt(BEFORE, &[&before]).await,
    }
}

const BEYOND: &str = "SELECT id, seal_id FROM audit WHERE seal_id > $1 \
    AND NOT EXISTS (SELECT 1 FROM audit_seal WHERE number > $2) ORDER BY seal_id LIMIT 1";
const OF_NONE: &str = "SELECT id, seal_id FROM audit WHERE seal_id IS NOT NULL \
    AND NOT EXISTS (SELECT 1 FROM audit_seal) ORDER BY seal_id LIMIT 1";

/// The same behind the last seal (number and id), or where there is none; nothing while another seal follows.
pub async fn beyond(t: &Tx<'_>, last: Option<(i64, &str)>) -> Result<Option<Claim>> {
    match last {
        Some((number, id)) => t.opt(BEYOND, &[&id, &number]).await,
        None => t.opt(OF_NONE, &[]).await,
    }
}
