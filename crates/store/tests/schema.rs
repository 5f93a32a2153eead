//! Both engines have the same tables and columns after the migrations.
#![cfg(test)]

use countersign_store::testing::{Database, Folder};
use countersign_store::{Db, Result};

/// Table, column, kind, and whether it may be NULL, in the words of both engines.
type Column = (String, String, String, i64);

const SQLITE: &str =
    "SELECT t.name, c.name, CASE c.type WHEN 'INTEGER' THEN 'bigint' WHEN 'BLOB' THEN 'bytea'
        WHEN 'TEXT' THEN 'text' ELSE c.type END, CASE WHEN c.\"notnull\" = 1 OR c.pk > 0 THEN 0 ELSE 1 END
    FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.name";

const POSTGRES: &str = "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT),
        CAST(CASE is_nullable WHEN 'NO' THEN 0 ELSE 1 END AS BIGINT)
    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2";

const SQLITE_INDEXES: &str =
    "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
    ORDER BY name";

const POSTGRES_INDEXES: &str = "SELECT CAST(i.indexname AS TEXT), CAST(i.tablename AS TEXT) FROM pg_indexes i
    WHERE i.schemaname = 'public' AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname)
    ORDER BY 1";

async fn columns(db: &Db) -> (Vec<Column>, Vec<(String, String)>) {
    let both: Result<_> = db
        .read(|t| {
            Box::pin(async move {
                let columns = t.all(t.pick(SQLITE, POSTGRES), &[]).await?;
                let indexes = t.all(t.pick(SQLITE_INDEXES, POSTGRES_INDEXES), &[]).await?;
                Ok((columns, indexes))
            })
        })
        .await;
    both.unwrap()
}

#[tokio::test]
async fn columns_and_indexes_of_both_engines_are_equal() {
    let folder = Folder::new();
    let sqlite = Db::open(&folder.sqlite_url()).await.unwrap();
    let database = Database::create_empty().await;
    let postgres = Db::open(database.url()).await.unwrap();
    let (one, other) = (columns(&sqlite).await, columns(&postgres).await);
    assert!(one.0.len() > 100, "{one:?}");
    assert_eq!(one, other);
    sqlite.close().await;
    postgres.close().await;
    database.remove().await;
}
