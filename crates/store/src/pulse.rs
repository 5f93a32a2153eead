//! One row that is written to learn whether anything can be written: a store that can only be read looks well.

use countersign_core::time::Timestamp;

use crate::{Result, Tx};

// The value differs each time: SQLite writes no page that stays as it is.
const BEAT: &str = "INSERT INTO pulse (id, beaten_at) VALUES (1, $1) \
    ON CONFLICT (id) DO UPDATE SET beaten_at = excluded.beaten_at";

/// Writes the row. Its commit waits for the disk like every other one.
pub async fn beat(t: &Tx<'_>, at: Timestamp) -> Result<()> {
    t.exec(BEAT, &[&at.millis()]).await.map(|_| ())
}
