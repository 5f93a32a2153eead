//! A ref transaction makes all of it or says why it made none of it.

use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_git::GitError;
use countersign_git::lock::Hold;
use countersign_git::refs::{RefName, Refs};
use countersign_git::transaction::{RefEdit, RefOutcome, RefTransaction as _, UpdateRef};

use crate::place::{Place, main_branch, proposal};

/// A child of the tip, which nothing names yet.
fn child(place: &Place, tip: Oid, text: &str) -> Oid {
    let tree = place.git(&["rev-parse", &format!("{tip}^{{tree}}")]);
    Oid::parse(&place.git(&["commit-tree", &tree, "-p", &tip.to_string(), "-m", text])).unwrap()
}

fn approval(new: Oid, old: Oid) -> [RefEdit; 2] {
    let marker = RefName::Marker(proposal(7));
    [
        RefEdit::Create { name: marker, new },
        RefEdit::Update { name: RefName::Branch(main_branch()), new, old },
    ]
}

async fn commit(place: &Place, edits: &[RefEdit]) -> Result<RefOutcome, GitError> {
    let lock = place.host.lock(place.id, Hold::Approval).await.unwrap();
    UpdateRef::new(place.host.clone()).commit(&lock, edits).await
}

async fn tips(place: &Place) -> (Option<Oid>, Option<Oid>) {
    let read = |refs: &Refs<'_>| Ok((refs.tip(&main_branch())?, refs.marker(proposal(7))?));
    place.host.with_refs(place.id, read).await.unwrap()
}

#[tokio::test]
async fn marker_and_branch_move_together() {
    let (place, base) = Place::with_repository().await;
    let new = child(&place, base, "one");
    assert_eq!(commit(&place, &approval(new, base)).await.unwrap(), RefOutcome::Done);
    assert_eq!(tips(&place).await, (Some(new), Some(new)));
}

#[tokio::test]
async fn a_branch_that_moved_meanwhile_is_a_conflict_and_leaves_no_marker() {
    let (place, base) = Place::with_repository().await;
    let (ours, theirs) = (child(&place, base, "ours"), child(&place, base, "theirs"));
    place.git(&["update-ref", "refs/heads/main", &theirs.to_string()]);
    assert_eq!(commit(&place, &approval(ours, base)).await.unwrap(), RefOutcome::Conflict);
    assert_eq!(tips(&place).await, (Some(theirs), None));
}

#[tokio::test]
async fn a_marker_that_exists_is_a_conflict_even_with_the_same_target() {
    let (place, base) = Place::with_repository().await;
    let new = child(&place, base, "one");
    place.git(&["update-ref", &RefName::Marker(proposal(7)).full(), &new.to_string()]);
    assert_eq!(commit(&place, &approval(new, base)).await.unwrap(), RefOutcome::Conflict);
    assert_eq!(tips(&place).await, (Some(base), Some(new)));
}

#[tokio::test]
async fn a_branch_that_is_gone_is_a_conflict() {
    let (place, base) = Place::with_repository().await;
    let new = child(&place, base, "one");
    place.git(&["update-ref", "-d", "refs/heads/main"]);
    assert_eq!(commit(&place, &approval(new, base)).await.unwrap(), RefOutcome::Conflict);
    assert_eq!(tips(&place).await, (None, None));
}

#[tokio::test]
async fn a_ref_lock_left_by_a_crash_is_told_apart_and_nothing_moves() {
    for left in
        ["refs/heads/main.lock", "refs/proposals/00000000-0000-0000-0000-000000000007.lock", "HEAD.lock"]
    {
        let (place, base) = Place::with_repository().await;
        let new = child(&place, base, "one");
        let path = place.host.path(place.id).join(left);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
        assert_eq!(commit(&place, &approval(new, base)).await.unwrap(), RefOutcome::Locked, "{left}");
        assert_eq!(tips(&place).await, (Some(base), None), "{left}");
    }
}

#[tokio::test]
async fn a_marker_is_removed_only_while_the_tip_is_what_was_seen() {
    let (place, base) = Place::with_repository().await;
    let (marked, theirs) = (child(&place, base, "marked"), child(&place, base, "theirs"));
    place.git(&["update-ref", &RefName::Marker(proposal(7)).full(), &marked.to_string()]);
    place.git(&["update-ref", "refs/heads/main", &theirs.to_string()]);
    let remove = |tip: Oid| {
        let branch = RefName::Branch(main_branch());
        [
            RefEdit::Verify { name: branch, old: tip },
            RefEdit::Delete { name: RefName::Marker(proposal(7)), old: marked },
        ]
    };
    assert_eq!(commit(&place, &remove(base)).await.unwrap(), RefOutcome::Conflict);
    assert_eq!(tips(&place).await.1, Some(marked));
    assert_eq!(commit(&place, &remove(theirs)).await.unwrap(), RefOutcome::Done);
    assert_eq!(tips(&place).await, (Some(theirs), None));
}

#[tokio::test]
async fn a_caller_that_hangs_up_does_not_stop_the_transaction() {
    let (place, base) = Place::with_repository().await;
    let new = child(&place, base, "one");
    let edits = approval(new, base);
    let lock = place.host.lock(place.id, Hold::Approval).await.unwrap();
    let transaction = UpdateRef::new(place.host.clone());
    let mut committing = transaction.commit(&lock, &edits);
    // One poll starts it; then the caller is gone.
    std::future::poll_fn(|cx| {
        let _ = committing.as_mut().poll(cx);
        std::task::Poll::Ready(())
    })
    .await;
    drop(committing);
    drop(lock);
    // Its end is seen by the lock: whoever sweeps waits for the git that still holds it.
    let _swept = place.host.lock(place.id, Hold::Exclusive).await.unwrap();
    assert_eq!(tips(&place).await, (Some(new), Some(new)));
}

#[tokio::test]
async fn ancestry_is_read_from_history() {
    let (place, base) = Place::with_repository().await;
    let (one, side) = (child(&place, base, "one"), child(&place, base, "side"));
    let two = child(&place, one, "two");
    let asked = move |repo: &countersign_git::Repo| {
        Ok([
            repo.is_ancestor(base, two)?,
            repo.is_ancestor(two, two)?,
            repo.is_ancestor(two, one)?,
            repo.is_ancestor(side, two)?,
        ])
    };
    assert_eq!(place.host.with(place.id, asked).await.unwrap(), [true, true, false, false]);
    let unknown = Oid::new([9; 20]);
    assert!(!place.host.with(place.id, move |repo| repo.is_ancestor(unknown, two)).await.unwrap());
}

/// git takes a packed-refs of the same inode, size and second for the one that it has read: with the right timing
/// it compares with a branch that has moved since.
#[tokio::test]
async fn a_branch_that_moved_under_gits_stale_packed_refs_is_a_conflict() {
    let (place, base) = Place::with_repository().await;
    let (ours, theirs) = (child(&place, base, "ours"), child(&place, base, "theirs"));
    let repository = place.host.path(place.id);
    let (packed, held) = (repository.join("packed-refs"), repository.join("refs/heads/main.lock"));
    // All of it has to happen within one second, so it starts at the beginning of one.
    while std::time::UNIX_EPOCH.elapsed().unwrap().subsec_millis() > 100 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    place.git(&["pack-refs", "--all"]);
    std::fs::write(&held, "").unwrap();
    let (host, id) = (place.host.clone(), place.id);
    let moving = tokio::spawn(async move {
        let lock = host.lock(id, Hold::Approval).await.unwrap();
        UpdateRef::new(host.clone()).commit(&lock, &approval(ours, base)).await
    });
    // Once the marker is locked, packed-refs was read; then the branch moves, as by a push that is packed twice.
    let marker = repository.join(format!("{}.lock", RefName::Marker(proposal(7)).full()));
    while !marker.exists() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    let text = std::fs::read_to_string(&packed).unwrap();
    std::fs::write(&packed, text.replace(&base.to_string(), &theirs.to_string())).unwrap();
    std::fs::remove_file(&held).unwrap();
    assert_eq!(moving.await.unwrap().unwrap(), RefOutcome::Conflict);
    assert_eq!(tips(&place).await, (Some(theirs), None));
}
