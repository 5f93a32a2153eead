//! The first set-up: one row with the hash of the one-time link, claimed once and for ever.

use countersign_core::time::Timestamp;

use crate::{Result, Saved, Tx, record};

record! {
    /// The one-time link; there is one row at most.
    pub struct Setup in "setup" {
        /// Always 1.
        id: i64,
        /// SHA-256 of the link's token.
        token_hash: Vec<u8>,
        /// When the link was made, in milliseconds.
        created_at: i64,
        /// When somebody claimed it.
        used_at: Option<i64>,
    }
}

const FIND: &str = "SELECT {cols} FROM setup WHERE id = 1";

/// The link, if there ever was one.
pub async fn find(t: &Tx<'_>) -> Result<Option<Setup>> {
    t.opt(FIND, &[]).await
}

const EXISTS: &str = "SELECT id FROM setup WHERE id = 1";

const OFFER: &str = "INSERT INTO setup (id, token_hash, created_at) VALUES (1, $1, $2) \
    ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at \
    WHERE setup.used_at IS NULL RETURNING id";

/// Offers a link in place of any earlier one; `Changed` once somebody claimed one.
pub async fn offer(t: &Tx<'_>, token_hash: &[u8], at: Timestamp) -> Result<Saved> {
    let done: Option<(i64,)> = t.opt(OFFER, &[&token_hash, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[]).await
}

const CLAIM: &str =
    "UPDATE setup SET used_at = $2 WHERE id = 1 AND token_hash = $1 AND used_at IS NULL RETURNING id";

/// Claims the link; of all who hold it, one is answered `Done`.
pub async fn claim(t: &Tx<'_>, token_hash: &[u8], at: Timestamp) -> Result<Saved> {
    let done: Option<(i64,)> = t.opt(CLAIM, &[&token_hash, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[]).await
}
