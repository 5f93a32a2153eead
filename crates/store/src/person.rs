//! People: who has an account, and under which mail address.

use countersign_core::id::UserId;

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

const EXISTS: &str = "SELECT id FROM person WHERE id = $1";
