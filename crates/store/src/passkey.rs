//! Passkeys: whose they are, their public keys, and how often each has signed.

use countersign_core::id::{PasskeyId, UserId};
use countersign_core::time::Timestamp;

use crate::{Removed, Result, Saved, Tx, record};

record! {
    /// A passkey.
    pub struct Passkey in "passkey" {
        /// Its id here.
        id: String,
        /// Whose it is.
        user_id: String,
        /// Its id at the authenticator; unique.
        credential_id: Vec<u8>,
        /// What its person calls it.
        name: String,
        /// The COSE algorithm (RFC 9053).
        algorithm: i64,
        /// The COSE key.
        public_key: Vec<u8>,
        /// How often it had signed when it was last used; zero where nobody counts.
        counter: i64,
        /// When it was made, in milliseconds.
        created_at: i64,
        /// When it was told that the authenticator may keep copies of it elsewhere: at its making, or never.
        synced_at: Option<i64>,
        /// When it was last used.
        used_at: Option<i64>,
        /// When it was last refused because its count went back.
        refused_at: Option<i64>,
    }
}

const LIST_OF: &str = "SELECT {cols} FROM passkey WHERE user_id = $1 ORDER BY created_at, id LIMIT $2";

/// The passkeys of a person, the oldest on top.
pub async fn list_of(t: &Tx<'_>, user: UserId, limit: i64) -> Result<Vec<Passkey>> {
    t.all(LIST_OF, &[&user.to_string(), &limit]).await
}

const FIND: &str = "SELECT {cols} FROM passkey WHERE credential_id = $1";

/// The passkey with this id at the authenticator.
pub async fn find(t: &Tx<'_>, credential_id: &[u8]) -> Result<Option<Passkey>> {
    t.opt(FIND, &[&credential_id]).await
}

const ANY_OF: &str = "SELECT id FROM passkey WHERE user_id = $1 LIMIT 1";

/// Whether a person has a passkey.
pub async fn any_of(t: &Tx<'_>, user: UserId) -> Result<bool> {
    t.any(ANY_OF, &[&user.to_string()]).await
}

const SAVE_USED: &str =
    "UPDATE passkey SET counter = $3, used_at = $4 WHERE id = $1 AND counter = $2 RETURNING id";
const EXISTS: &str = "SELECT id FROM passkey WHERE id = $1";

/// Notes the use of a passkey whose count was `seen` at another value; of two uses under one count one is `Changed`.
pub async fn save_used(t: &Tx<'_>, id: &str, (seen, now): (u32, u32), at: Timestamp) -> Result<Saved> {
    let done: Option<(String,)> =
        t.opt(SAVE_USED, &[&id, &i64::from(seen), &i64::from(now), &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&id]).await
}

const NOTE_REFUSED: &str = "UPDATE passkey SET refused_at = $2 WHERE id = $1";

/// Notes that a passkey was refused because its count went back.
pub async fn note_refused(t: &Tx<'_>, id: &str, at: Timestamp) -> Result<()> {
    t.exec(NOTE_REFUSED, &[&id, &at.millis()]).await.map(|_| ())
}

const REMOVE: &str = "DELETE FROM passkey WHERE id = $1 AND user_id = $2";

/// Removes one of the person's own passkeys; tells whether there was one.
pub async fn remove(t: &Tx<'_>, id: PasskeyId, user: UserId) -> Result<Removed> {
    t.exec(REMOVE, &[&id.to_string(), &user.to_string()]).await.map(Removed::of)
}
