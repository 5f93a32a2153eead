//! Whole tables, for tests that ask what a refused or broken call left behind.

use crate::{Db, Result};

/// How many rows a table has.
pub async fn count(db: &Db, table: &'static str) -> i64 {
    let sql = format!("SELECT CAST(count(*) AS BIGINT) FROM {table}");
    let rows: Result<(i64,)> = db.read(|t| Box::pin(async move { t.one(&sql, &[]).await })).await;
    rows.unwrap_or_else(|error| panic!("{table} cannot be counted: {error}")).0
}

/// Takes a table away: whatever writes to it from here on fails.
pub async fn take_away(db: &Db, table: &'static str) {
    rename(db, table, &format!("{table}_taken_away")).await;
}

/// Puts it back.
pub async fn put_back(db: &Db, table: &'static str) {
    rename(db, &format!("{table}_taken_away"), table).await;
}

async fn rename(db: &Db, from: &str, to: &str) {
    let sql = format!("ALTER TABLE {from} RENAME TO {to}");
    let done: Result<u64> = db.write(|t| Box::pin(async move { t.exec(&sql, &[]).await })).await;
    done.unwrap_or_else(|error| panic!("{from} cannot be renamed: {error}"));
}
