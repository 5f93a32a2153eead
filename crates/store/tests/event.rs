//! The event log under many writers: no gap, and no reader ever skips an event.
#![cfg(test)]

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_store::event::{self, Event, NewEvent};
use countersign_store::testing::house::{self, House};
use countersign_store::{Db, Error, Result, Tx, both};

fn new(number: i64) -> NewEvent {
    NewEvent {
        kind: "note.changed".to_owned(),
        at: Timestamp::from_millis(number),
        actor: "{}".to_owned(),
        summary: format!("change {number}"),
        refs: "{}".to_owned(),
    }
}

async fn append(db: &Db, resource: ResourceId, number: i64) -> Result<i64> {
    db.write(move |t| Box::pin(append_in(t, resource, number))).await
}

async fn append_in(t: &Tx<'_>, resource: ResourceId, number: i64) -> Result<i64> {
    event::append(t, resource, new(number)).await?;
    event::newest(t, resource).await
}

async fn page(db: &Db, resource: ResourceId, after: i64, limit: i64) -> Vec<Event> {
    let page: Result<_> = db.read(move |t| Box::pin(event::page(t, resource, after, limit))).await;
    page.unwrap()
}

/// Reads from the start until `until`, checking that each event is the one after the last.
async fn follow(db: &Db, resource: ResourceId, until: i64) -> i64 {
    let mut last = 0;
    while last < until {
        for event in page(db, resource, last, 100).await {
            assert_eq!(event.sequence, last + 1, "an event was skipped");
            last = event.sequence;
        }
        tokio::task::yield_now().await;
    }
    last
}

const WRITERS: i64 = 64;
const EACH: i64 = 20;

/// Writers append and every tenth of their changes is refused after its append.
async fn write_all(db: &Db, resource: ResourceId) {
    let kept = Arc::new(AtomicI64::new(0));
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let (db, kept) = (db.clone(), Arc::clone(&kept));
        writers.spawn(async move {
            for number in 0..EACH {
                let refuse = (writer + number) % 10 == 0;
                let result = loop {
                    let result =
                        db.write(move |t| Box::pin(append_or_refuse(t, resource, number, refuse))).await;
                    // On a machine under load a caller may not get its turn in time; then it asks again.
                    if !matches!(&result, Err(problem) if problem.code == Code::StoreUnavailable) {
                        break result;
                    }
                };
                assert_eq!(result.is_err(), refuse, "{result:?}");
                kept.fetch_add(i64::from(result.is_ok()), Ordering::Relaxed);
            }
        });
    }
    writers.join_all().await;
    assert_eq!(kept.load(Ordering::Relaxed), KEPT);
}

async fn append_or_refuse(
    t: &Tx<'_>,
    resource: ResourceId,
    number: i64,
    refuse: bool,
) -> Result<i64, Problem> {
    let sequence = append_in(t, resource, number).await?;
    if refuse { Err(Problem::not_found("note")) } else { Ok(sequence) }
}

const KEPT: i64 = WRITERS * EACH * 9 / 10;

both!(sixty_four_writers_leave_no_gap_and_two_followers_skip_none, db, {
    let house = House::build(&db).await;
    let followers = [1, 2].map(|_| {
        let db = db.clone();
        tokio::spawn(async move { follow(&db, house.resource, KEPT).await })
    });
    write_all(&db, house.resource).await;
    for follower in followers {
        assert_eq!(follower.await.unwrap(), KEPT);
    }
    assert_eq!(page(&db, house.resource, KEPT, 100).await, []);
});

both!(a_burst_of_350_drains_in_four_pages, db, {
    let house = House::build(&db).await;
    let resource = house.resource;
    let all: Result<()> = db
        .write(move |t| {
            Box::pin(async move {
                for number in 0..350 {
                    event::append(t, resource, new(number)).await?;
                }
                Ok(())
            })
        })
        .await;
    all.unwrap();
    let mut sizes = Vec::new();
    let mut last = 0;
    while sizes.last().is_none_or(|size| *size == 100) {
        let events = page(&db, resource, last, 100).await;
        last = events.last().map_or(last, |event| event.sequence);
        sizes.push(events.len());
    }
    assert_eq!(sizes, [100, 100, 100, 50]);
});

both!(each_resource_counts_for_itself, db, {
    let house = House::build(&db).await;
    let second = house::resource(7);
    let row = house.with_resource(second, "second");
    let made: Result<()> = db.write(move |t| Box::pin(async move { row.insert(t).await })).await;
    made.unwrap();
    assert_eq!(append(&db, house.resource, 1).await, Ok(1));
    assert_eq!(append(&db, second, 1).await, Ok(1));
    assert_eq!(append(&db, house.resource, 2).await, Ok(2));
});

both!(an_event_of_nothing_is_refused, db, {
    assert_eq!(append(&db, house::resource(99), 1).await, Err(Error::NotFound));
});
