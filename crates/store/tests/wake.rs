//! Wake-ups: heard after the commit, never without it, and by every server of one PostgreSQL.
#![cfg(test)]

use countersign_core::problem::Problem;
use countersign_store::testing::Database;
use countersign_store::{Db, Heard, Result, Wake, both};

fn wake(topic: &str) -> Wake {
    Wake { workspace: "w".to_owned(), topic: topic.to_owned() }
}

async fn tell(db: &Db, topic: &'static str) {
    let told: Result<()> = db
        .write(move |t| {
            Box::pin(async move {
                t.wake(wake(topic));
                t.wake(wake(topic));
                Ok(())
            })
        })
        .await;
    told.unwrap();
}

both!(a_commit_wakes_every_listener_once, db, {
    let mut listeners = [db.listen(), db.listen()];
    tell(&db, "approvals").await;
    tell(&db, "connections").await;
    for listener in &mut listeners {
        assert_eq!(listener.next().await, Some(Heard::Wake(wake("approvals"))));
        assert_eq!(listener.next().await, Some(Heard::Wake(wake("connections"))));
    }
});

both!(what_is_rolled_back_wakes_nobody, db, {
    let mut listener = db.listen();
    let refused = db
        .write(|t| {
            Box::pin(async move {
                t.wake(wake("refused"));
                Err::<(), _>(Problem::not_found("note"))
            })
        })
        .await;
    assert!(refused.is_err());
    tell(&db, "kept").await;
    assert_eq!(listener.next().await, Some(Heard::Wake(wake("kept"))));
});

both!(who_hears_a_wake_up_sees_the_change, db, {
    const COUNT: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM workspace";
    let mut listener = db.listen();
    let writer = db.clone();
    let writes = tokio::spawn(async move {
        for number in 0..50 {
            let written: Result<()> = writer
                .write(move |t| {
                    Box::pin(async move {
                        let id = format!("w{number}");
                        t.exec(
                            "INSERT INTO workspace (id, name, slug, created_at) VALUES ($1, $1, $1, 1)",
                            &[&id],
                        )
                        .await?;
                        t.wake(wake(&id));
                        Ok(())
                    })
                })
                .await;
            written.unwrap();
        }
    });
    for number in 0..50 {
        assert_eq!(listener.next().await, Some(Heard::Wake(wake(&format!("w{number}")))));
        let seen: Result<(i64,)> = db.read(|t| Box::pin(async move { t.one(COUNT, &[]).await })).await;
        assert!(seen.unwrap().0 > number);
    }
    writes.await.unwrap();
});

both!(a_listener_that_fell_behind_is_told_of_a_gap, db, {
    let mut listener = db.listen();
    let mut last = db.listen();
    let all: Result<()> = db
        .write(|t| {
            Box::pin(async move {
                for number in 0..2000 {
                    t.wake(wake(&number.to_string()));
                }
                Ok(())
            })
        })
        .await;
    all.unwrap();
    while last.next().await != Some(Heard::Wake(wake("1999"))) {}
    assert_eq!(listener.next().await, Some(Heard::Gap));
});

#[tokio::test]
async fn another_server_of_the_same_postgresql_hears_it() {
    let database = Database::create().await;
    let (one, other) = (Db::open(database.url()).await.unwrap(), Db::open(database.url()).await.unwrap());
    let mut listener = other.listen();
    tell(&one, "approvals").await;
    assert_eq!(listener.next().await, Some(Heard::Wake(wake("approvals"))));
    one.close().await;
    other.close().await;
    database.remove().await;
}

#[tokio::test]
async fn a_listener_whose_connection_broke_is_told_of_a_gap_and_hears_again() {
    const BREAK: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'countersign-listen' AND datname = current_database()";
    let database = Database::create().await;
    let db = Db::open(database.url()).await.unwrap();
    let mut listener = db.listen();
    let broken: Result<u64> = db.write(|t| Box::pin(async move { t.exec(BREAK, &[]).await })).await;
    assert_eq!(broken, Ok(1));
    assert_eq!(listener.next().await, Some(Heard::Gap));
    tell(&db, "after").await;
    assert_eq!(listener.next().await, Some(Heard::Wake(wake("after"))));
    db.close().await;
    database.remove().await;
}
