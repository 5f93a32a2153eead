//! A repository packed for a backup and made again elsewhere: whole, or not at all.

use std::collections::BTreeMap;
use std::io::Read;
use std::time::Duration;

use countersign_core::backup::RefList;
use countersign_core::gitnest::oid::Oid;
use countersign_git::GitError;

use crate::place::{Place, main_branch};
use crate::work::Work;

const SOON: Duration = Duration::from_millis(50);

async fn packed(place: &Place, list: &RefList) -> Vec<u8> {
    let kept = place.host.keep_objects(place.id, SOON).await.unwrap();
    let mut pack = Vec::new();
    let sink = |bytes: &[u8]| {
        pack.extend_from_slice(bytes);
        Ok(())
    };
    place.host.pack(&kept, list.refs.values().copied(), sink).await.unwrap();
    pack
}

async fn listed(place: &Place) -> RefList {
    RefList { head: main_branch(), refs: place.host.refs_of_people(place.id).await.unwrap() }
}

async fn restored(list: &RefList, mut pack: &[u8]) -> (Place, countersign_git::Result<()>) {
    let place = Place::empty().await;
    let pack: Option<&mut (dyn Read + Send)> = if pack.is_empty() { None } else { Some(&mut pack) };
    let done = place.host.restore(place.id, list, pack).await;
    (place, done)
}

/// A history with a merge, a tag of its own, a lightweight one and a branch with a folder in its name.
async fn grown() -> Place {
    let (place, _) = Place::with_repository().await;
    let work = Work::of(&place);
    work.write("a.txt", "a\n".repeat(2000));
    work.commit("One");
    work.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    work.write("b.txt", "b");
    work.git(&["add", "-A"]);
    work.git(&["commit", "-q", "-m", "Two"]);
    work.git(&["merge", "-q", "--no-edit", "origin/main"]);
    work.git(&["tag", "-a", "v1", "-m", "First"]);
    work.git(&["tag", "light", "HEAD~1"]);
    work.git(&["push", "-q", "origin", "HEAD:topic/a", "v1", "light"]);
    place
}

#[tokio::test]
async fn what_is_made_again_is_the_same_repository() {
    let place = grown().await;
    let list = listed(&place).await;
    let (again, done) = restored(&list, &packed(&place, &list).await).await;
    done.unwrap();
    assert_eq!(listed(&again).await, list);
    let all = |place: &Place| place.git(&["rev-list", "--objects", "--all"]);
    assert_eq!(all(&again), all(&place));
    again.git(&["fsck", "--strict"]);
    assert_eq!(again.git(&["symbolic-ref", "HEAD"]), "refs/heads/main");
}

#[tokio::test]
async fn an_empty_repository_is_made_again_without_a_pack() {
    let list = RefList { head: main_branch(), refs: BTreeMap::new() };
    let (again, done) = restored(&list, &[]).await;
    done.unwrap();
    assert!(again.host.exists(again.id));
    assert_eq!(listed(&again).await, list);
}

#[tokio::test]
async fn a_pack_that_was_changed_or_cut_or_lacks_something_makes_no_repository() {
    let place = grown().await;
    let list = listed(&place).await;
    let pack = packed(&place, &list).await;
    let mut changed = pack.clone();
    changed[pack.len() / 2] ^= 1;
    let first = RefList { refs: list.refs.clone().into_iter().take(1).collect(), ..list.clone() };
    let lacking = packed(&place, &first).await;
    for (what, pack) in [
        ("changed", changed),
        ("cut", pack[..pack.len() - 30].to_vec()),
        ("lacking", lacking),
        ("none", Vec::new()),
    ] {
        let (again, done) = restored(&list, &pack).await;
        assert!(matches!(done, Err(GitError::Process { .. })), "{what}: {done:?}");
        assert!(!again.host.exists(again.id), "{what}");
    }
}

#[tokio::test]
async fn a_repository_that_is_there_is_not_made_again() {
    let (place, _) = Place::with_repository().await;
    let list = listed(&place).await;
    assert!(place.host.restore(place.id, &list, None).await.is_err());
    assert_eq!(listed(&place).await, list);
}

#[tokio::test]
async fn while_objects_are_kept_nobody_throws_any_away_and_pushes_go_on() {
    let (place, first) = Place::with_repository().await;
    let kept = place.host.keep_objects(place.id, SOON).await.unwrap();
    assert!(matches!(place.host.lock_objects(place.id, SOON).await, Err(GitError::Busy(_))));
    drop(place.host.lock_for_push(place.id).await.unwrap());
    // What a branch led to a moment ago is packed, though it does so no more.
    place.git(&["update-ref", "-d", "refs/heads/main"]);
    let mut size = 0;
    let sink = |bytes: &[u8]| {
        size += bytes.len();
        Ok(())
    };
    place.host.pack(&kept, std::iter::once(first), sink).await.unwrap();
    assert!(size > 100, "{size}");
    drop(kept);
    let alone = place.host.lock_objects(place.id, SOON).await.unwrap();
    assert!(matches!(place.host.keep_objects(place.id, SOON).await, Err(GitError::Busy(_))));
    drop(alone);
}

#[tokio::test]
async fn a_tip_that_is_not_there_is_no_pack() {
    let (place, _) = Place::with_repository().await;
    let kept = place.host.keep_objects(place.id, SOON).await.unwrap();
    let lost = std::iter::once(Oid::new([9; 20]));
    assert!(matches!(place.host.pack(&kept, lost, |_| Ok(())).await, Err(GitError::Process { .. })));
}
