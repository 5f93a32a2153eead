//! One picture of the whole store, and a database that is filled from it.
#![cfg(test)]

use std::collections::BTreeSet;

use countersign_store::load::{Filling, fill, obstacle};
use countersign_store::testing::house::House;
use countersign_store::testing::{Database, Folder};
use countersign_store::{Cell, Db, Error, Result, Snapshot, table};

const SQLITE: &str = "SELECT name FROM sqlite_schema WHERE type = 'table'";
const POSTGRES: &str =
    "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = 'public'";
const ADD: &str = "INSERT INTO workspace (id, name, slug, created_at) VALUES ($1, $1, $1, 1)";

/// Runs `test` on a database of each engine, which a server has open.
async fn on_both<F: Future<Output = ()>>(test: impl Fn(String, Db) -> F) {
    let folder = Folder::new();
    let database = Database::create_empty().await;
    for url in [folder.sqlite_url(), database.url().to_owned()] {
        let db = Db::open(&url).await.unwrap();
        test(url, db.clone()).await;
        db.close().await;
    }
    database.remove().await;
}

async fn snapshot(url: &str) -> Snapshot {
    Snapshot::open(url).await.unwrap().unwrap()
}

async fn rows(snapshot: &Snapshot, name: &str) -> Vec<Vec<Cell>> {
    let tables = snapshot.tables().await.unwrap();
    let table = tables.iter().find(|table| table.name == name).unwrap();
    let (mut rows, mut all) = (snapshot.rows(table).await.unwrap(), Vec::new());
    while let Some(row) = rows.next().await.unwrap() {
        all.push(row);
    }
    all
}

async fn add(db: &Db, id: &'static str) {
    let added: Result<u64> = db.write(move |t| Box::pin(async move { t.exec(ADD, &[&id]).await })).await;
    assert_eq!(added, Ok(1));
}

#[tokio::test]
async fn no_table_is_left_out() {
    on_both(|url, _db| async move {
        let snapshot = snapshot(&url).await;
        let t = snapshot.tx();
        let there: Vec<(String,)> = t.all(t.pick(SQLITE, POSTGRES), &[]).await.unwrap();
        let mut there: BTreeSet<String> = there.into_iter().map(|(name,)| name).collect();
        assert!(there.remove("schema_migration"));
        let tables = snapshot.tables().await.unwrap();
        let told: BTreeSet<String> = tables.into_iter().map(|table| table.name).collect();
        assert_eq!(told, there);
    })
    .await;
}

#[tokio::test]
async fn it_stays_as_it_was_while_others_write() {
    on_both(|url, db| async move {
        add(&db, "before").await;
        let early = snapshot(&url).await;
        add(&db, "behind").await;
        assert_eq!(rows(&early, "workspace").await.len(), 1);
        assert_eq!(rows(&snapshot(&url).await, "workspace").await.len(), 2);
        drop(early);
        add(&db, "later").await;
    })
    .await;
}

#[tokio::test]
async fn what_fills_another_database_is_the_same_there() {
    let database = Database::create_empty().await;
    let folder = Folder::new();
    let urls = [database.url().to_owned(), folder.sqlite_url()];
    let first = Db::open(&urls[0]).await.unwrap();
    House::build(&first).await;
    let from = snapshot(&urls[0]).await;
    assert_eq!(obstacle(&urls[1]).await, Ok(None));
    let filling = Filling::open(&urls[1]).await.unwrap();
    let mut all = Vec::new();
    for table in from.tables().await.unwrap() {
        all.push((table.clone(), rows(&from, &table.name).await));
    }
    let source = all.clone();
    let filled: Result<u64> = filling
        .db
        .write(move |t| {
            Box::pin(async move {
                let mut count = 0;
                for (table, rows) in source {
                    count += fill::<Error>(t, &table, rows.into_iter().map(Ok)).await?;
                }
                Ok(count)
            })
        })
        .await;
    assert!(filled.unwrap() > 5);
    assert_eq!(obstacle(&urls[1]).await, Ok(None), "it is not in its place yet");
    filling.publish().await.unwrap();
    assert!(obstacle(&urls[1]).await.unwrap().is_some());
    assert!(obstacle(&urls[0]).await.unwrap().is_some());
    let to = snapshot(&urls[1]).await;
    for (table, before) in all {
        assert_eq!(rows(&to, &table.name).await, before, "{}", table.name);
    }
    assert!(matches!(publish_again(&urls[1]).await, Err(Error::Setup(_))), "nothing is written over");
    drop(from);
    first.close().await;
    database.remove().await;
}

async fn publish_again(url: &str) -> Result<()> {
    Filling::open(url).await?.publish().await
}

#[tokio::test]
async fn a_store_of_another_schema_or_of_nobody_is_refused() {
    on_both(|url, db| async move {
        let forget = "DELETE FROM schema_migration WHERE version = $1";
        let newest = table::schema();
        let done: Result<u64> =
            db.write(move |t| Box::pin(async move { t.exec(forget, &[&newest]).await })).await;
        assert_eq!(done, Ok(1));
        assert!(matches!(Snapshot::open(&url).await, Err(Error::Setup(said)) if said.contains("older")));
    })
    .await;
    let (database, folder) = (Database::create_empty().await, Folder::new());
    assert!(
        matches!(Snapshot::open(database.url()).await, Err(Error::Setup(said)) if said.contains("nothing"))
    );
    assert!(matches!(Snapshot::open(&folder.sqlite_url()).await, Ok(None)));
    database.remove().await;
}
