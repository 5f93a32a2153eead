//! Whoever reads much has a few places, and leaves the others to everybody else.

use std::sync::atomic::Ordering;
use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::UserId;
use countersign_git::desk::{Desk, PLACES};
use countersign_git::{GitError, Repo};
use uuid::Uuid;

use crate::place::Place;
use crate::work::Work;

const LONG: Duration = Duration::from_mins(1);

fn desk(place: &Place, who: u128) -> Desk {
    place.host.desk(UserId::new(Uuid::from_u128(who)))
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_takes_a_few_places_and_nobody_else_waits_for_them() {
    let (place, first) = Place::with_repository().await;
    let mut busy = Vec::new();
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel();
    for _ in 0..PLACES {
        let (desk, id, begun) = (desk(&place, 1), place.id, begun.clone());
        busy.push(tokio::spawn(async move {
            let work = move |_: &Repo, stop: &std::sync::atomic::AtomicBool| {
                begun.send(()).unwrap();
                while !stop.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                Ok(())
            };
            desk.within(id, LONG, work).await
        }));
    }
    for _ in 0..PLACES {
        begins.recv().await.unwrap();
    }
    let read = move |repo: &Repo, _: &std::sync::atomic::AtomicBool| repo.commit(first);
    let refused = desk(&place, 1).within(place.id, LONG, read).await.unwrap_err();
    assert!(matches!(refused, GitError::Overloaded), "{refused}");
    assert!(desk(&place, 2).within(place.id, LONG, read).await.unwrap().is_some());
    for task in busy {
        // Who hangs up gives the place back, once the work has seen it.
        task.abort();
        let _ = task.await;
    }
    assert!(desk(&place, 1).within(place.id, LONG, read).await.unwrap().is_some());
}

#[tokio::test]
async fn one_person_has_a_few_large_files_on_their_way_and_the_next_begins_when_one_ends() {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("big", vec![7; 3 << 20]);
    work.commit("Big");
    let oid = Oid::parse(&place.git(&["rev-parse", "main:big"])).unwrap();
    let mira = desk(&place, 1);
    let mut streams = Vec::new();
    for _ in 0..PLACES {
        streams.push(mira.stream(place.id, oid).await.unwrap());
    }
    assert!(matches!(mira.stream(place.id, oid).await, Err(GitError::Overloaded)));
    drop(desk(&place, 2).stream(place.id, oid).await.unwrap());
    streams.pop();
    drop(mira.stream(place.id, oid).await.unwrap());
}
