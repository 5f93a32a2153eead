//! People, for tests of what happens when one may no longer sign in.

use crate::{Db, Result};

/// Takes a person's sign-in away.
pub async fn disable(db: &Db, mail: &'static str) {
    const SQL: &str = "UPDATE person SET disabled_at = 1 WHERE mail_key = $1";
    let done: Result<u64> = db.write(move |t| Box::pin(async move { t.exec(SQL, &[&mail]).await })).await;
    assert_eq!(done, Ok(1), "{mail}");
}

/// When each session was last used, as the store knows it.
pub async fn seen_at(db: &Db) -> Vec<i64> {
    const SQL: &str = "SELECT seen_at FROM session ORDER BY created_at, token_hash";
    let rows: Result<Vec<(i64,)>> = db.read(|t| Box::pin(t.all(SQL, &[]))).await;
    rows.unwrap_or_else(|error| panic!("{error}")).into_iter().map(|(at,)| at).collect()
}
