//! The log of a resource: events without gaps, visible in the order of their numbers.

use countersign_core::id::ResourceId;
use countersign_core::time::Timestamp;

use crate::{Error, Result, Tx, record};

record! {
    /// One event of a resource's log.
    pub struct Event in "event" {
        /// The resource.
        resource_id: String,
        /// Its number: the first is 1, none is missing.
        sequence: i64,
        /// What happened, `noun.verb`.
        kind: String,
        /// When, in milliseconds.
        at: i64,
        /// Who did it, a JSON object.
        actor: String,
        /// One short line; data, never instructions.
        summary: String,
        /// Ids to read more by, a JSON object.
        refs: String,
    }
}

/// An event that has no number yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// What happened, `noun.verb`.
    pub kind: String,
    /// When.
    pub at: Timestamp,
    /// Who did it, a JSON object.
    pub actor: String,
    /// One short line.
    pub summary: String,
    /// Ids to read more by, a JSON object.
    pub refs: String,
}

const RAISE: &str = "UPDATE resource SET next_seq = next_seq + 1, updated_at = $2 WHERE id = $1";
const APPEND: &str = "INSERT INTO event (resource_id, sequence, kind, at, actor, summary, refs) \
    SELECT id, next_seq, $2, $3, $4, $5, $6 FROM resource WHERE id = $1";

/// Appends an event, under the next number, in the transaction of the change that it tells of.
///
/// Raising the number takes the lock of the resource's row until the transaction ends: the next number is given
/// out only after this one is visible, and one that is rolled back is given out again. So call it last, and for
/// several resources in the order of their ids, that no two transactions wait for each other.
///
/// [`Error::NotFound`] when there is no such resource.
pub async fn append(t: &Tx<'_>, resource: ResourceId, event: NewEvent) -> Result<()> {
    let resource_id = resource.to_string();
    let NewEvent { kind, at, actor, summary, refs } = event;
    if t.exec(RAISE, &[&resource_id, &at.millis()]).await? == 0 {
        return Err(Error::NotFound);
    }
    t.exec(APPEND, &[&resource_id, &kind, &at.millis(), &actor, &summary, &refs]).await.map(drop)
}

const NEWEST: &str = "SELECT next_seq FROM resource WHERE id = $1";

/// The number of the newest event, 0 before the first; after an [`append`] in the same transaction, of that one.
pub async fn newest(t: &Tx<'_>, resource: ResourceId) -> Result<i64> {
    let (sequence,) = t.one(NEWEST, &[&resource.to_string()]).await?;
    Ok(sequence)
}

const PAGE: &str =
    "SELECT {cols} FROM event WHERE resource_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3";

/// The events after a sequence, oldest first, at most `limit`. The reader keeps the cursor.
pub async fn page(t: &Tx<'_>, resource: ResourceId, after: i64, limit: i64) -> Result<Vec<Event>> {
    t.all(PAGE, &[&resource.to_string(), &after, &limit]).await
}
