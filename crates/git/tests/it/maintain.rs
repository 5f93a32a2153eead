//! Markers are dropped when they are old and landed, and packed when they are many.

use countersign_core::gitnest::oid::Oid;
use countersign_core::time::Timestamp;
use countersign_git::lock::Hold;
use countersign_git::maintain::{MARKER_LIFE, Maintained};
use countersign_git::refs::RefName;
use countersign_git::transaction::{RefEdit, RefOutcome, RefTransaction as _, UpdateRef};

use crate::place::{Place, at, main_branch, proposal};

/// When the first commit of every test was made.
const BEGUN: i64 = 1_700_000_000;

fn later(seconds: u64) -> Timestamp {
    at(BEGUN + i64::try_from(seconds).unwrap())
}

fn mark(place: &Place, number: u128, commit: Oid) {
    place.git(&["update-ref", &RefName::Marker(proposal(number)).full(), &commit.to_string()]);
}

fn markers(place: &Place) -> usize {
    place.git(&["for-each-ref", "refs/proposals/"]).lines().count()
}

async fn maintain(place: &Place, now: Timestamp) -> Maintained {
    let lock = place.host.lock(place.id, Hold::Push).await.unwrap();
    place.host.maintain(&lock, &UpdateRef::new(place.host.clone()), now).await.unwrap()
}

#[tokio::test]
async fn a_landed_marker_is_dropped_after_a_week_and_no_sooner() {
    let (place, first) = Place::with_repository().await;
    mark(&place, 1, first);
    mark(&place, 2, first);
    assert_eq!(maintain(&place, later(MARKER_LIFE.as_secs())).await.dropped, 0);
    assert_eq!(markers(&place), 2);
    assert_eq!(maintain(&place, later(MARKER_LIFE.as_secs() + 1)).await.dropped, 2);
    assert_eq!(markers(&place), 0);
    assert_eq!(place.git(&["rev-parse", "main"]), first.to_string());
}

#[tokio::test]
async fn a_marker_that_did_not_land_stays_however_old() {
    let (place, first) = Place::with_repository().await;
    let tree = place.git(&["rev-parse", "main^{tree}"]);
    let orphan = place.git(&["commit-tree", &tree, "-p", &first.to_string(), "-m", "never landed"]);
    mark(&place, 1, Oid::parse(&orphan).unwrap());
    mark(&place, 2, first);
    let far = Timestamp::from_millis(i64::MAX / 4);
    assert_eq!(maintain(&place, far).await.dropped, 1);
    assert_eq!(place.git(&["rev-parse", &RefName::Marker(proposal(1)).full()]), orphan);
}

#[tokio::test]
async fn many_markers_are_packed_and_read_as_before() {
    let (place, first) = Place::with_repository().await;
    for number in 0..20 {
        mark(&place, number, first);
    }
    let folder = place.host.path(place.id).join("refs/proposals");
    assert_eq!(maintain(&place, later(0)).await, Maintained { dropped: 0, packed: true });
    assert!(std::fs::read_dir(folder).map_or(0, Iterator::count) == 0, "loose markers are left");
    assert_eq!(markers(&place), 20);
    let seen = place.host.with_refs(place.id, |refs| refs.marker(proposal(7))).await.unwrap();
    assert_eq!(seen, Some(first));
    assert!(!maintain(&place, later(0)).await.packed, "nothing is left to pack");
}

#[tokio::test]
async fn a_packed_marker_still_keeps_a_second_one_from_being_made() {
    let (place, first) = Place::with_repository().await;
    for number in 0..20 {
        mark(&place, number, first);
    }
    maintain(&place, later(0)).await;
    let lock = place.host.lock(place.id, Hold::Approval).await.unwrap();
    let edits = [
        RefEdit::Create { name: RefName::Marker(proposal(7)), new: first },
        RefEdit::Verify { name: RefName::Branch(main_branch()), old: first },
    ];
    let outcome = UpdateRef::new(place.host.clone()).commit(&lock, &edits).await.unwrap();
    assert_eq!(outcome, RefOutcome::Conflict);
}
