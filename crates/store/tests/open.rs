//! Opening a database: one server to a file, several to one PostgreSQL, and what is refused with what to do.
#![cfg(test)]

use countersign_store::testing::{Database, Folder};
use countersign_store::{Db, Error, Result};

fn refusal(result: Result<Db>) -> String {
    match result {
        Err(Error::Setup(sentence)) => sentence,
        other => panic!("not refused: {other:?}"),
    }
}

async fn count_people(db: &Db) -> i64 {
    const COUNT: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM person";
    let counted: Result<(i64,)> = db.read(|t| Box::pin(async move { t.one(COUNT, &[]).await })).await;
    counted.unwrap().0
}

#[tokio::test]
async fn a_second_server_on_one_file_is_refused_and_told_which() {
    let folder = Folder::new();
    let url = folder.sqlite_url();
    let first = Db::open(&url).await.unwrap();
    let sentence = refusal(Db::open(&url).await);
    assert!(sentence.contains(&format!("process {}", std::process::id())), "{sentence}");
    assert!(sentence.contains("store.db"), "{sentence}");
    // By another name it is the same file.
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(folder.path().join("store.db"), &link).unwrap();
    refusal(Db::open(&format!("sqlite:{}", link.display())).await);
    first.close().await;
    Db::open(&url).await.unwrap().close().await;
}

#[tokio::test]
async fn the_data_file_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let db = Db::open(&folder.sqlite_url()).await.unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", file.path());
    }
    db.close().await;
}

#[tokio::test]
async fn closing_folds_the_log_into_the_file() {
    const ADD: &str = "INSERT INTO workspace (id, name, slug, created_at) VALUES ('w', 'w', 'w', 1)";
    const FIND: &str = "SELECT id FROM workspace";
    let folder = Folder::new();
    let db = Db::open(&folder.sqlite_url()).await.unwrap();
    let added: Result<u64> = db.write(|t| Box::pin(async move { t.exec(ADD, &[]).await })).await;
    assert_eq!(added, Ok(1));
    db.close().await;
    let mut left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["store.db", "store.db.lock"]);
    let again = Db::open(&folder.sqlite_url()).await.unwrap();
    let found: Result<(String,)> = again.read(|t| Box::pin(async move { t.one(FIND, &[]).await })).await;
    assert_eq!(found.unwrap().0, "w");
    again.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_that_open_one_empty_postgresql_at_once_both_succeed() {
    let database = Database::create_empty().await;
    let url = database.url().to_owned();
    let opened: Vec<_> = (0..4)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { Db::open(&url).await })
        })
        .collect();
    for db in opened {
        let db = db.await.unwrap().unwrap();
        assert_eq!(count_people(&db).await, 0);
        db.close().await;
    }
    database.remove().await;
}

#[tokio::test]
async fn closing_postgresql_waits_for_the_writes_that_were_begun() {
    const WRITES: i64 = 8;
    const ADD: &str = "INSERT INTO workspace (id, name, slug, created_at) VALUES ($1, $1, $1, 1)";
    const COUNT: &str = "SELECT COUNT(*) FROM workspace";
    let database = Database::create().await;
    let db = Db::open(database.url()).await.unwrap();
    let (begin, mut started) = tokio::sync::mpsc::channel(8);
    for number in 0..WRITES {
        let (db, begin) = (db.clone(), begin.clone());
        tokio::spawn(async move {
            db.write(move |t| {
                Box::pin(async move {
                    let _ = begin.send(()).await;
                    t.exec("SELECT pg_sleep(0.2)", &[]).await?;
                    t.exec(ADD, &[&number.to_string()]).await
                })
            })
            .await
        });
    }
    for _ in 0..WRITES {
        started.recv().await.unwrap();
    }
    db.close().await;
    let again = Db::open(database.url()).await.unwrap();
    let kept: Result<(i64,)> = again.read(|t| Box::pin(async move { t.one(COUNT, &[]).await })).await;
    assert_eq!(kept.unwrap().0, WRITES);
    again.close().await;
    database.remove().await;
}

#[tokio::test]
async fn a_postgresql_that_sorts_otherwise_is_refused() {
    let database = Database::create_sorted("C.UTF-8", "SQL_ASCII").await;
    let sentence = refusal(Db::open(database.url()).await);
    assert!(sentence.contains("LC_COLLATE 'C'"), "{sentence}");
    database.remove().await;
}

#[tokio::test]
async fn addresses_that_cannot_be_served_are_refused() {
    for (url, word) in [
        ("mysql://x", "sqlite:PATH"),
        ("postgres://u@127.0.0.1/x?sslmode=require", "TLS"),
        ("postgres://u@127.0.0.1:port/x", "cannot be read"),
        ("sqlite:/nonexistent/store.db", "must exist"),
    ] {
        let sentence = refusal(Db::open(url).await);
        assert!(sentence.contains(word), "{url}: {sentence}");
    }
}
