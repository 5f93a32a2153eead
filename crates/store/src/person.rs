//! People: who has an account, and under which mail address.

use countersign_core::id::UserId;
use countersign_core::time::Timestamp;

use crate::{Result, Saved, Tx, record};

record! {
    /// A person's account.
    pub struct Person in "person" {
        /// Its id.
        id: String,
        /// The mail address as it was written.
        mail: String,
        /// The mail address folded; unique.
        mail_key: String,
        /// Their name.
        name: String,
        /// The password as a PHC string; never the password.
        password_hash: String,
        /// When it was made, in milliseconds.
        created_at: i64,
        /// Since when they cannot sign in.
        disabled_at: Option<i64>,
    }
}

const FIND: &str = "SELECT {cols} FROM person WHERE id = $1";

/// The person with this id.
pub async fn find(t: &Tx<'_>, id: UserId) -> Result<Option<Person>> {
    t.opt(FIND, &[&id.to_string()]).await
}

const FIND_BY_MAIL: &str = "SELECT {cols} FROM person WHERE mail_key = $1";

/// The person with this folded mail address.
pub async fn find_by_mail(t: &Tx<'_>, mail_key: &str) -> Result<Option<Person>> {
    t.opt(FIND_BY_MAIL, &[&mail_key]).await
}

const SAVE_PASSWORD: &str =
    "UPDATE person SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING id";

/// Changes a person's password from the one that was seen; both as PHC strings.
pub async fn save_password(t: &Tx<'_>, id: UserId, seen: &str, hash: &str) -> Result<Saved> {
    let id = id.to_string();
    let done: Option<(String,)> = t.opt(SAVE_PASSWORD, &[&id, &seen, &hash]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&id]).await
}

const DISABLE: &str = "UPDATE person SET disabled_at = $2 WHERE id = $1 AND disabled_at IS NULL RETURNING id";

/// Shuts a person out; `Changed` when they are already.
pub async fn disable(t: &Tx<'_>, id: UserId, at: Timestamp) -> Result<Saved> {
    let id = id.to_string();
    let done: Option<(String,)> = t.opt(DISABLE, &[&id, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&id]).await
}

const ENABLE: &str =
    "UPDATE person SET disabled_at = NULL WHERE id = $1 AND disabled_at IS NOT NULL RETURNING id";

/// Lets a person in again; `Changed` when they are in.
pub async fn enable(t: &Tx<'_>, id: UserId) -> Result<Saved> {
    let id = id.to_string();
    let done: Option<(String,)> = t.opt(ENABLE, &[&id]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&id]).await
}

const HOLD: &str = "UPDATE person SET id = id WHERE id = $1";

/// Holds a person until the transaction ends: of two that count what is theirs, the second sees what the first made.
pub async fn hold(t: &Tx<'_>, id: UserId) -> Result<()> {
    t.exec(HOLD, &[&id.to_string()]).await.map(|_| ())
}

const EXISTS: &str = "SELECT id FROM person WHERE id = $1";
