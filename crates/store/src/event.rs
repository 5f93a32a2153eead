//! The log of a resource: events without gaps, visible in the order of their numbers.

use countersign_core::id::ResourceId;
use countersign_core::time::Timestamp;

use crate::{Result, Tx, record};

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

const NUMBER: &str =
    "UPDATE resource SET next_seq = next_seq + 1, updated_at = $2 WHERE id = $1 RETURNING next_seq";
const RAISE: &str = "UPDATE resource SET next_seq = next_seq + 1, updated_at = $2 WHERE id = $1";
const RAISED: &str = "SELECT next_seq FROM resource WHERE id = $1";

/// Appends an event in the transaction of the change that it tells of, and gives its number.
///
/// Raising the number takes the lock of the resource's row until the transaction ends: the next number is given
/// out only after this one is visible, and one that is rolled back is given out again. So call it last, and for
/// several resources in the order of their ids, that no two transactions wait for each other.
pub async fn append(t: &Tx<'_>, resource: ResourceId, event: NewEvent) -> Result<i64> {
    let resource_id = resource.to_string();
    let sequence = raise(t, &resource_id, event.at).await?;
    let NewEvent { kind, at, actor, summary, refs } = event;
    Event { resource_id, sequence, kind, at: at.millis(), actor, summary, refs }.insert(t).await?;
    Ok(sequence)
}

/// SQLite builds a temporary table for the one row of a `RETURNING`, which costs more than a second statement; to
/// PostgreSQL a second statement is a second way there and back.
async fn raise(t: &Tx<'_>, resource_id: &str, at: Timestamp) -> Result<i64> {
    let returns = t.pick(false, true);
    let (sequence,) = if returns {
        t.one(NUMBER, &[&resource_id, &at.millis()]).await?
    } else {
        t.exec(RAISE, &[&resource_id, &at.millis()]).await?;
        t.one(RAISED, &[&resource_id]).await?
    };
    Ok(sequence)
}

const PAGE: &str =
    "SELECT {cols} FROM event WHERE resource_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3";

/// The events after a sequence, oldest first, at most `limit`. The reader keeps the cursor.
pub async fn page(t: &Tx<'_>, resource: ResourceId, after: i64, limit: i64) -> Result<Vec<Event>> {
    t.all(PAGE, &[&resource.to_string(), &after, &limit]).await
}
