//! Metadata documents of clients: what came last from each address, and for how long it holds.

use countersign_core::time::Timestamp;

use crate::{Result, Tx, record};

record! {
    /// A document as it came.
    pub struct ClientDocumentRow in "client_document" {
        /// The client's id, which is the document's address.
        client_id: String,
        /// How it was served.
        media_type: String,
        /// Its bytes.
        body: Vec<u8>,
        /// When it came, in milliseconds.
        fetched_at: i64,
        /// Until when it need not be asked for again.
        fresh_until: i64,
    }
}

const FIND: &str = "SELECT {cols} FROM client_document WHERE client_id = $1";

/// What came last from this address.
pub async fn find(t: &Tx<'_>, client_id: &str) -> Result<Option<ClientDocumentRow>> {
    t.opt(FIND, &[&client_id]).await
}

const SAVE: &str = "INSERT INTO client_document (client_id, media_type, body, fetched_at, fresh_until) \
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (client_id) DO UPDATE SET media_type = excluded.media_type, \
    body = excluded.body, fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until \
    WHERE client_document.fetched_at <= excluded.fetched_at";

/// Keeps a document in the place of an older one.
pub async fn save(t: &Tx<'_>, row: &ClientDocumentRow) -> Result<()> {
    let values: [&dyn crate::Param; 5] =
        [&row.client_id, &row.media_type, &row.body, &row.fetched_at, &row.fresh_until];
    t.exec(SAVE, &values).await.map(|_| ())
}

const FORGET_ONE: &str = "DELETE FROM client_document WHERE client_id = $1 AND fetched_at = $2";

/// Drops the document that came from this address at `fetched_at`; a newer one stays.
pub async fn forget(t: &Tx<'_>, client_id: &str, fetched_at: i64) -> Result<()> {
    t.exec(FORGET_ONE, &[&client_id, &fetched_at]).await.map(|_| ())
}

const FORGET: &str = "DELETE FROM client_document WHERE fetched_at <= $1";

/// Drops what came before `then`; tells how many.
pub async fn forget_old(t: &Tx<'_>, then: Timestamp) -> Result<u64> {
    t.exec(FORGET, &[&then.millis()]).await
}

const OLD: &str = "SELECT 1 FROM client_document WHERE fetched_at <= $1 LIMIT 1";

/// Whether there is anything that [`forget_old`] would drop.
pub async fn any_old(t: &Tx<'_>, then: Timestamp) -> Result<bool> {
    t.any(OLD, &[&then.millis()]).await
}
