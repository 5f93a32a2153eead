//! The sealer: what is committed gets one seal, once, whoever else seals.

use countersign_app::audit::{Ask, seal};
use countersign_app::testing::TestApp;
use countersign_core::audit::{Head, seal_id};
use countersign_store::testing::Database;
use countersign_store::testing::table::{count, put_back, take_away};
use countersign_store::{Db, Error, both};

use crate::house::{House, id};

/// Number, how many records, and the id of the first of them, of each seal.
async fn seals(db: &Db) -> Vec<(i64, i64, Option<String>)> {
    let sql = "SELECT s.number, s.row_count, (SELECT MIN(a.id) FROM audit a WHERE a.seal_id = $1 || \
        CASE WHEN s.number < 10 THEN '00' WHEN s.number < 100 THEN '0' ELSE '' END || CAST(s.number AS TEXT)) \
        FROM audit_seal s ORDER BY s.number";
    let zeros = "0".repeat(16);
    let rows = db.read(move |t| Box::pin(async move { t.all(sql, &[&zeros]).await }));
    rows.await.unwrap_or_else(|error: Error| panic!("{error}"))
}

async fn unsealed(db: &Db) -> i64 {
    db.read(|t| Box::pin(countersign_store::audit_seal::count_unsealed(t))).await.unwrap()
}

both!(what_waits_is_sealed_in_batches_the_oldest_first, db, {
    let house = House::open(db.clone()).await;
    house.write(0..2_500).await;
    assert_eq!(seal(&house.app).await.unwrap(), 2_500);
    let expected = [(1, 1_000, Some(id(0))), (2, 1_000, Some(id(1_000))), (3, 500, Some(id(2_000)))];
    assert_eq!(seals(&db).await, expected);
    assert_eq!((unsealed(&db).await, seal(&house.app).await.unwrap()), (0, 0));
    assert_eq!(house.fault().await, None);
});

both!(a_record_that_commits_late_goes_into_a_later_seal, db, {
    let house = House::open(db.clone()).await;
    house.write(5..10).await;
    seal(&house.app).await.unwrap();
    house.write(0..5).await;
    seal(&house.app).await.unwrap();
    assert_eq!(seals(&db).await, [(1, 5, Some(id(5))), (2, 5, Some(id(0)))]);
    assert_eq!(house.fault().await, None);
});

both!(a_seal_that_cannot_be_stored_leaves_its_records_unsealed, db, {
    let house = House::open(db.clone()).await;
    house.write(0..10).await;
    take_away(&db, "audit_seal").await;
    seal(&house.app).await.unwrap_err();
    put_back(&db, "audit_seal").await;
    assert_eq!(unsealed(&db).await, 10);
    assert_eq!(seal(&house.app).await.unwrap(), 10);
    assert_eq!(house.fault().await, None);
});

/// Writes and seals from both sides at once, and looks whether every record is in exactly one seal.
async fn seal_from_both_sides(one: House, other: &TestApp) {
    const RECORDS: i64 = 3_000;
    let sealer = |app: countersign_app::App| {
        tokio::spawn(async move {
            for _ in 0..40 {
                seal(&app).await.unwrap_or_else(|problem| {
                    // PostgreSQL may end one of two that wait for each other; the next round goes on.
                    assert_eq!(problem.code.as_str(), "store_unavailable", "{problem:?}");
                    0
                });
                tokio::task::yield_now().await;
            }
        })
    };
    let sealers = [sealer(one.app.clone()), sealer(other.app.clone())];
    for from in (0..RECORDS).step_by(100) {
        one.write(from..from + 100).await;
    }
    for sealing in sealers {
        sealing.await.unwrap();
    }
    seal(&other.app).await.unwrap();
    let seals = seals(&one.db).await;
    let numbers: Vec<i64> = seals.iter().map(|(number, ..)| *number).collect();
    assert_eq!(numbers, (1..=i64::try_from(seals.len()).unwrap()).collect::<Vec<_>>());
    assert_eq!(seals.iter().map(|(_, rows, _)| rows).sum::<i64>(), RECORDS);
    assert_eq!((unsealed(&one.db).await, count(&one.db, "audit").await), (0, RECORDS));
    assert_eq!(one.fault().await, None);
}

both!(of_two_tasks_that_seal_at_once_each_seal_is_made_by_one, db, {
    let other = TestApp::over(db.clone()).await;
    seal_from_both_sides(House::open(db).await, &other).await;
});

#[tokio::test(flavor = "multi_thread")]
async fn of_two_servers_that_seal_at_once_each_seal_is_made_by_one() {
    let database = Database::create().await;
    let (one, two) = (Db::open(database.url()).await.unwrap(), Db::open(database.url()).await.unwrap());
    let other = TestApp::over(two.clone()).await;
    seal_from_both_sides(House::open(one.clone()).await, &other).await;
    one.close().await;
    two.close().await;
    database.remove().await;
}

both!(a_number_that_another_server_took_is_not_taken_again, db, {
    let house = House::sealed(db.clone()).await;
    let seal = db.read(|t| Box::pin(countersign_store::audit_seal::next(t, 2))).await.unwrap().unwrap();
    let second = db.write(move |t| Box::pin(async move { seal.insert(t).await })).await;
    assert!(matches!(second, Err(Error::Unique(_))), "{second:?}");
    assert_eq!(house.verify(Ask::default()).await.at.number, 3);
});

#[test]
fn who_loses_a_number_undoes_its_marks_and_goes_on_with_the_next() {
    // SQLite has one writer: nobody loses there.
    countersign_store::testing::on_postgres(|db| async move {
        let house = House::sealed(db.clone()).await;
        house.write(30..40).await;
        let third = db.read(|t| Box::pin(countersign_store::audit_seal::next(t, 2))).await.unwrap().unwrap();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let faster = db.clone();
        let faster = tokio::spawn(async move {
            let taken = countersign_store::audit_seal::AuditSeal { number: 4, ..third };
            let work = faster.write(move |t| {
                Box::pin(async move {
                    taken.insert(t).await?;
                    let _ = begun.send(());
                    t.exec("SELECT pg_sleep(1)", &[]).await
                })
            });
            work.await.unwrap_or_else(|error: Error| panic!("{error}"));
        });
        begins.await.unwrap();
        assert_eq!(seal(&house.app).await.unwrap(), 10, "what was undone is sealed under the next number");
        faster.await.unwrap();
        let marked = async |number| {
            let rows = db.read(move |t| {
                Box::pin(async move { countersign_store::audit_seal::rows(t, &seal_id(number), 100).await })
            });
            rows.await.unwrap().len()
        };
        assert_eq!((marked(4).await, marked(5).await, unsealed(&db).await), (0, 10, 0));
    });
}

both!(a_head_leads_to_where_the_log_ends, db, {
    let house = House::sealed(db).await;
    let progress = house.verify(Ask::default()).await;
    assert_eq!((progress.seals, progress.rows, progress.at.number), (3, 30, 3));
    assert_eq!(Head::parse(&progress.at.to_string()), Some(progress.at));
    assert_eq!(seal_id(progress.at.number), "0000000000000000003");
});
