//! Short reads on the caller's own thread: the same answers and refusals as any other read.
#![cfg(test)]

use std::sync::mpsc::sync_channel;

use countersign_store::testing::Folder;
use countersign_store::{Db, Error, Result, Tx, both};

const ADD: &str = "INSERT INTO workspace (id, name, slug, created_at) VALUES ($1, $1, $1, 1)";
const FIND: &str = "SELECT id FROM workspace ORDER BY id";

async fn add(t: &Tx<'_>, id: &str) -> Result<()> {
    t.exec(ADD, &[&id]).await.map(drop)
}

async fn find(db: &Db) -> Result<Vec<(String,)>> {
    db.glance(|t| Box::pin(async move { t.all(FIND, &[]).await })).await
}

both!(a_glance_sees_what_was_committed_before, db, {
    for (count, id) in ["a", "b", "c"].into_iter().enumerate() {
        assert_eq!(find(&db).await.unwrap().len(), count);
        let added: Result<()> = db.write(move |t| Box::pin(add(t, id))).await;
        added.unwrap();
    }
    assert_eq!(find(&db).await.unwrap().len(), 3);
});

both!(a_glance_at_a_closed_store_is_refused, db, {
    db.close().await;
    assert!(matches!(find(&db).await, Err(Error::Unavailable(_))));
});

#[tokio::test]
async fn a_glance_that_panics_gives_its_connection_back() {
    let folder = Folder::new();
    let db = Db::open(&folder.sqlite_url()).await.unwrap();
    for _ in 0..10 {
        let broken: Result<()> = db.glance(|_| Box::pin(async { panic!("on purpose") })).await;
        assert!(matches!(broken, Err(Error::Panicked(_))), "{broken:?}");
    }
    assert_eq!(find(&db).await, Ok(Vec::new()));
    db.close().await;
}

#[tokio::test]
async fn a_glance_cannot_write() {
    let folder = Folder::new();
    let db = Db::open(&folder.sqlite_url()).await.unwrap();
    let written: Result<()> = db.glance(|t| Box::pin(add(t, "a"))).await;
    assert!(matches!(written, Err(Error::Unavailable(_))), "{written:?}");
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn more_glances_than_connections_go_to_the_readers() {
    let folder = Folder::new();
    let db = Db::open(&folder.sqlite_url()).await.unwrap();
    let mut held = tokio::task::JoinSet::new();
    let mut ends = Vec::new();
    for _ in 0..6 {
        let (end, ended) = sync_channel::<()>(1);
        let (begun, wait) = tokio::sync::oneshot::channel();
        let db = db.clone();
        held.spawn(async move {
            db.glance(move |_| {
                Box::pin(async move {
                    let _ = begun.send(());
                    let _ = ended.recv();
                    Ok::<_, Error>(())
                })
            })
            .await
        });
        wait.await.unwrap();
        ends.push(end);
    }
    assert_eq!(find(&db).await, Ok(Vec::new()));
    drop(ends);
    assert!(held.join_all().await.into_iter().all(|done| done.is_ok()));
    db.close().await;
}
