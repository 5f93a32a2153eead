//! Group commit on SQLite alone: one batch of many jobs, a full disk, a full queue, a job that waits.
#![cfg(test)]

use std::sync::mpsc::{SyncSender, sync_channel};

use countersign_store::testing::{Folder, on_sqlite};
use countersign_store::{Db, Error, Result, Tx};

const MAKE: &str = "CREATE TABLE kept (id BIGINT PRIMARY KEY, text TEXT)";
const KEEP: &str = "INSERT INTO kept (id, text) VALUES ($1, $2)";

async fn make(db: &Db) {
    let made: Result<u64> = db.write(|t| Box::pin(async move { t.exec(MAKE, &[]).await })).await;
    made.unwrap();
}

async fn kept(db: &Db) -> Vec<i64> {
    let rows: Result<Vec<(i64,)>> =
        db.read(|t| Box::pin(async move { t.all("SELECT id FROM kept ORDER BY id", &[]).await })).await;
    rows.unwrap().into_iter().map(|(id,)| id).collect()
}

/// Holds the writer until the returned end is dropped, so that all that is sent meanwhile makes one batch.
async fn hold(db: &Db) -> SyncSender<()> {
    let (release, released) = sync_channel(1);
    let (begun, wait) = tokio::sync::oneshot::channel();
    let db = db.clone();
    tokio::spawn(async move {
        db.write(move |_| {
            Box::pin(async move {
                let _ = begun.send(());
                let _ = released.recv();
                Ok::<_, Error>(())
            })
        })
        .await
    });
    wait.await.unwrap();
    release
}

async fn keep(t: &Tx<'_>, id: i64, text: &str) -> Result<()> {
    t.exec(KEEP, &[&id, &text]).await.map(|_| ())
}

#[test]
fn in_one_batch_a_job_that_fails_harms_no_other() {
    on_sqlite(|db| async move {
        make(&db).await;
        let held = hold(&db).await;
        let mut jobs = tokio::task::JoinSet::new();
        for id in 0..40 {
            let db = db.clone();
            jobs.spawn(async move {
                db.write(move |t| {
                    Box::pin(async move {
                        keep(t, id, "").await?;
                        match id % 4 {
                            0 => Err(Error::NotFound),
                            1 => keep(t, id, "").await,
                            2 => panic!("on purpose"),
                            _ => Ok(()),
                        }
                    })
                })
                .await
                .is_ok()
            });
        }
        tokio::task::yield_now().await;
        drop(held);
        let answered = jobs.join_all().await.into_iter().filter(|ok| *ok).count();
        assert_eq!(kept(&db).await, (0..40).filter(|id| id % 4 == 3).collect::<Vec<_>>());
        assert_eq!(answered, 10);
    });
}

#[test]
fn on_a_full_disk_exactly_what_was_answered_is_kept() {
    on_sqlite(|db| async move {
        make(&db).await;
        limit_pages(&db, 20).await;
        let held = hold(&db).await;
        let mut jobs = tokio::task::JoinSet::new();
        for id in 0..100 {
            let db = db.clone();
            jobs.spawn(async move {
                (id, db.write(move |t| Box::pin(async move { keep(t, id, &"x".repeat(8000)).await })).await)
            });
        }
        tokio::task::yield_now().await;
        drop(held);
        let (mut answered, mut full) = (Vec::new(), false);
        for (id, result) in jobs.join_all().await {
            match result {
                Ok(()) => answered.push(id),
                Err(error) => {
                    assert!(matches!(error, Error::Full(_) | Error::Unavailable(_)), "{error:?}");
                    full |= matches!(error, Error::Full(_));
                }
            }
        }
        assert!(full, "a full disk is told as one");
        answered.sort_unstable();
        assert_eq!(kept(&db).await, answered);
        assert!(answered.len() < 100);
        limit_pages(&db, 1_000_000).await;
        let after: Result<()> = db.write(|t| Box::pin(keep(t, 1000, ""))).await;
        after.unwrap();
    });
}

/// Lets the file grow by this many pages and no more.
async fn limit_pages(db: &Db, more: i64) {
    let limited: Result<Vec<(i64,)>> = db
        .write(move |t| {
            Box::pin(async move {
                let (pages,): (i64,) = t.one("PRAGMA page_count", &[]).await?;
                t.all(&format!("PRAGMA max_page_count = {}", pages + more), &[]).await
            })
        })
        .await;
    limited.unwrap();
}

#[test]
fn a_write_that_finds_the_queue_full_is_refused_in_time() {
    // The clock stands still and jumps to the next deadline when nothing else can run.
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let folder = Folder::new();
        let db = Db::open(&folder.sqlite_url()).await.unwrap();
        let held = hold(&db).await;
        let mut jobs = tokio::task::JoinSet::new();
        for _ in 0..1025 {
            let db = db.clone();
            jobs.spawn(async move { db.write(|_| Box::pin(async { Ok::<_, Error>(()) })).await });
        }
        let refused = jobs.join_next().await.unwrap().unwrap();
        assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
        drop(held);
        assert!(jobs.join_all().await.into_iter().all(|result| result.is_ok()));
        db.close().await;
    });
}

#[tokio::test]
async fn closing_finishes_what_is_queued() {
    let folder = Folder::new();
    let db = Db::open(&folder.sqlite_url()).await.unwrap();
    make(&db).await;
    let held = hold(&db).await;
    let mut writes = tokio::task::JoinSet::new();
    for id in 0..20 {
        let db = db.clone();
        writes.spawn(async move { db.write(move |t| Box::pin(async move { keep(t, id, "").await })).await });
    }
    // On this one thread each task runs before this one goes on: the writes are queued, then the order to stop.
    tokio::task::yield_now().await;
    let closing = tokio::spawn({
        let db = db.clone();
        async move { db.close().await }
    });
    tokio::task::yield_now().await;
    drop(held);
    closing.await.unwrap();
    assert!(writes.join_all().await.into_iter().all(|result| result.is_ok()));
}

#[test]
fn a_job_that_waits_for_something_else_is_refused() {
    on_sqlite(|db| async move {
        make(&db).await;
        let result: Result<()> = db
            .write(|t| {
                Box::pin(async move {
                    keep(t, 1, "").await?;
                    std::future::pending::<()>().await;
                    Ok(())
                })
            })
            .await;
        assert_eq!(result, Err(Error::Waited));
        assert_eq!(kept(&db).await, Vec::<i64>::new());
    });
}

#[test]
fn a_read_cannot_write() {
    on_sqlite(|db| async move {
        make(&db).await;
        let result: Result<()> = db.read(|t| Box::pin(keep(t, 1, ""))).await;
        assert!(matches!(result, Err(Error::Unavailable(_))), "{result:?}");
    });
}
