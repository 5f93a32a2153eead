//! The repository lock keeps maintenance and writers apart, in one process and between several.

use std::time::Duration;

use countersign_git::GitError;
use countersign_git::lock::Hold;

use crate::place::{Place, open};

const SOON: Duration = Duration::from_millis(50);

#[tokio::test]
async fn within_a_process_approvals_take_turns_and_pushes_do_not() {
    let place = Place::empty().await;
    let _approval = place.host.lock(place.id, Hold::Approval).await.unwrap();
    let _push = place.host.lock_within(place.id, Hold::Push, SOON).await.unwrap();
    let second = place.host.lock_within(place.id, Hold::Approval, SOON).await;
    assert!(matches!(second, Err(GitError::Busy(_))), "{second:?}");
}

#[tokio::test]
async fn another_server_shares_with_approvals_and_waits_for_exclusive_ones() {
    let place = Place::empty().await;
    let other = open(place.dir.path()).await;
    let approval = place.host.lock(place.id, Hold::Approval).await.unwrap();
    let shared = other.lock_within(place.id, Hold::Approval, SOON).await.unwrap();
    let swept = other.lock_within(place.id, Hold::Exclusive, SOON).await;
    assert!(matches!(swept, Err(GitError::Busy(_))), "{swept:?}");
    drop((approval, shared));
    let _alone = other.lock_within(place.id, Hold::Exclusive, SOON).await.unwrap();
    let late = place.host.lock_within(place.id, Hold::Push, SOON).await;
    assert!(matches!(late, Err(GitError::Busy(_))), "{late:?}");
}

#[tokio::test]
async fn a_git_child_keeps_the_lock_when_its_server_lets_go() {
    let (place, _) = Place::with_repository().await;
    let other = open(place.dir.path()).await;
    let lock = place.host.lock(place.id, Hold::Approval).await.unwrap();
    // It waits for its input, which stays open: an orphan in the middle of its work.
    let mut orphan = place.host.write_command(&lock, "update-ref").unwrap().arg("--stdin").start().unwrap();
    let (input, ..) = orphan.take_streams();
    drop(lock);
    let swept = other.lock_within(place.id, Hold::Exclusive, SOON).await;
    assert!(matches!(swept, Err(GitError::Busy(_))), "{swept:?}");
    drop(input);
    orphan.wait().await.unwrap();
    other.lock_within(place.id, Hold::Exclusive, SOON).await.unwrap();
}

#[tokio::test]
async fn a_git_that_only_reads_does_not_keep_the_lock() {
    let (place, _) = Place::with_repository().await;
    let lock = place.host.lock(place.id, Hold::Approval).await.unwrap();
    let mut reader =
        place.host.git().command(&place.host.path(place.id), "cat-file").arg("--batch").start().unwrap();
    let (input, ..) = reader.take_streams();
    drop(lock);
    place.host.lock_within(place.id, Hold::Exclusive, SOON).await.unwrap();
    drop(input);
    reader.wait().await.unwrap();
}

#[tokio::test]
async fn an_exclusive_taker_is_not_kept_out_by_a_stream_of_shared_ones() {
    let place = Place::empty().await;
    let other = open(place.dir.path()).await;
    let holder = place.host.lock(place.id, Hold::Push).await.unwrap();
    let waiting = tokio::spawn({
        let (other, id) = (other.clone(), place.id);
        async move { other.lock(id, Hold::Exclusive).await }
    });
    // Once the exclusive one waits, later shared ones of any server queue behind it.
    let mut turned_away = false;
    for _ in 0..200 {
        if place.host.lock_within(place.id, Hold::Push, Duration::from_millis(10)).await.is_err() {
            turned_away = true;
            break;
        }
    }
    assert!(turned_away, "shared holders went on overtaking");
    drop(holder);
    waiting.await.unwrap().unwrap();
}
