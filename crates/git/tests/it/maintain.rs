//! Upkeep: markers dropped, refs and objects packed, what nothing reaches thrown away; nothing else is lost.

use countersign_core::gitnest::oid::Oid;
use countersign_core::time::Timestamp;
use countersign_git::GitHost;
use countersign_git::lock::Hold;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use countersign_git::maintain::{Due, KEPT, Left, MARKER_LIFE};
use countersign_git::refs::RefName;
use countersign_git::transaction::{RefEdit, RefOutcome, RefTransaction as _, UpdateRef};

use crate::place::{Place, at, git, main_branch, proposal};
use crate::work::Work;

const SOON: Duration = Duration::from_millis(50);

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

/// Looks after the repository as the timer does: what is due, and no more.
async fn maintain(place: &Place, now: Timestamp) -> (usize, Due) {
    let due = place.host.due(place.id, now).await.unwrap();
    (run(place, (due, KEPT), now).await, due)
}

async fn run(place: &Place, what: (Due, Duration), now: Timestamp) -> usize {
    let objects = place.host.lock_objects(place.id, SOON).await.unwrap();
    let lock = place.host.lock(place.id, Hold::Exclusive).await.unwrap();
    let refs = UpdateRef::new(place.host.clone());
    place.host.maintain((&lock, Some(&objects)), &refs, what, now).await.unwrap().dropped
}

#[tokio::test]
async fn a_landed_marker_is_dropped_after_a_week_and_no_sooner() {
    let (place, first) = Place::with_repository().await;
    mark(&place, 1, first);
    mark(&place, 2, first);
    assert_eq!(maintain(&place, later(MARKER_LIFE.as_secs())).await.0, 0);
    assert_eq!(markers(&place), 2);
    assert_eq!(maintain(&place, later(MARKER_LIFE.as_secs() + 1)).await.0, 2);
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
    assert_eq!(maintain(&place, far).await.0, 1);
    assert_eq!(place.git(&["rev-parse", &RefName::Marker(proposal(1)).full()]), orphan);
}

#[tokio::test]
async fn many_markers_are_packed_and_read_as_before() {
    let (place, first) = Place::with_repository().await;
    for number in 0..20 {
        mark(&place, number, first);
    }
    let folder = place.host.path(place.id).join("refs/proposals");
    assert_eq!(maintain(&place, later(0)).await, (0, Due { refs: true, ..Due::default() }));
    assert!(std::fs::read_dir(folder).map_or(0, Iterator::count) == 0, "loose markers are left");
    assert_eq!(markers(&place), 20);
    let seen = place.host.with_refs(place.id, |refs| refs.marker(proposal(7))).await.unwrap();
    assert_eq!(seen, Some(first));
    assert!(!maintain(&place, later(0)).await.1.any(), "nothing is left to pack");
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

/// Every object of the repository, reached or not.
fn objects(place: &Place) -> usize {
    place.git(&["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"]).lines().count()
}

/// A commit that nothing reaches; its file is of its own.
fn leave_unreached(place: &Place, first: Oid, text: &str) -> String {
    let file = place.dir.path().join("unreached");
    std::fs::write(&file, text).unwrap();
    let blob = place.git(&["hash-object", "-w", &file.display().to_string()]);
    place.git(&["update-ref", "refs/heads/scratch", &first.to_string()]);
    let commit = place.git(&["commit-tree", "main^{tree}", "-p", &first.to_string(), "-m", text]);
    place.git(&["update-ref", "refs/heads/scratch", &commit]);
    place.git(&["update-ref", "-d", "refs/heads/scratch"]);
    blob
}

#[tokio::test]
async fn what_nothing_reaches_is_kept_for_two_weeks_and_then_gone() {
    let (place, first) = Place::with_repository().await;
    let blob = leave_unreached(&place, first, "to be forgotten");
    let before = objects(&place);
    run(&place, (Due::ALL, KEPT), later(0)).await;
    assert_eq!(objects(&place), before, "nothing of it is old enough");
    run(&place, (Due::ALL, Duration::ZERO), later(0)).await;
    assert_eq!(objects(&place), before - 2, "a blob and a commit are gone");
    let gone = git(&place.host.path(place.id), &["cat-file", "-e", &blob]);
    assert!(!gone.status.success());
    place.git(&["fsck", "--strict"]);
}

#[tokio::test]
async fn a_thousand_loose_objects_are_packed_and_read_as_before() {
    let (place, first) = Place::with_repository().await;
    let work = Work::of(&place);
    for n in 0..1000 {
        work.write(&format!("{}/{n}.txt", n % 10), format!("file {n}\n"));
    }
    // A small push leaves loose objects; git would pack a large one at once.
    work.git(&["config", "push.default", "current"]);
    place.git(&["config", "receive.unpackLimit", "100000"]);
    let tip = work.commit("Many files");
    assert_eq!(maintain(&place, later(0)).await.1, Due { objects: true, ..Due::default() });
    assert_eq!(place.git(&["count-objects"]), "0 objects, 0 kilobytes");
    assert!(place.host.with(place.id, move |repo| repo.is_ancestor(first, tip)).await.unwrap());
    assert!(!maintain(&place, later(0)).await.1.any(), "nothing is left to do");
    place.git(&["fsck", "--strict"]);
}

#[tokio::test]
async fn a_repository_is_pruned_a_week_after_it_was_seen_first_and_each_week_from_then_on() {
    let (place, _) = Place::with_repository().await;
    let week = 7 * 24 * 3600;
    let prune = async |seconds| maintain(&place, later(seconds)).await.1.prune;
    assert!(!prune(0).await);
    assert!(!prune(week - 1).await);
    assert!(prune(week).await);
    assert!(!prune(week + 1).await);
    assert!(prune(2 * week).await);
}

#[tokio::test]
async fn nobody_is_looked_after_while_others_may_work_there() {
    let (place, _) = Place::with_repository().await;
    for hold in [Hold::Push, Hold::Approval] {
        let lock = place.host.lock(place.id, hold).await.unwrap();
        let refs = UpdateRef::new(place.host.clone());
        let refused =
            place.host.maintain((&lock, None), &refs, (Due::ALL, KEPT), later(0)).await.unwrap_err();
        assert!(refused.is_passing(), "{refused}");
    }
}

#[tokio::test]
async fn what_a_killed_git_left_is_due_once_it_has_lain_and_is_swept_then() {
    let (place, first) = Place::with_repository().await;
    let repository = place.host.path(place.id);
    let quarantine = repository.join("objects/tmp_objdir-incoming-dead");
    let left = [
        (quarantine.clone(), 6),
        (repository.join("refs/heads/main.lock"), 6),
        (repository.join("objects/pack/tmp_pack_x"), 3700),
    ];
    for (path, seconds) in left {
        if path == quarantine {
            std::fs::create_dir(&path).unwrap();
        } else {
            std::fs::write(&path, "").unwrap();
        }
        assert_eq!(
            place.host.due(place.id, later(0)).await.unwrap(),
            Due::default(),
            "{} is young",
            path.display()
        );
        let old = std::time::SystemTime::now() - Duration::from_secs(seconds);
        std::fs::File::open(&path).unwrap().set_modified(old).unwrap();
        let something = Left::Something;
        let due = if path == quarantine {
            Due { quarantines: something, ..Due::default() }
        } else {
            Due { left: something, ..Due::default() }
        };
        assert_eq!(maintain(&place, later(0)).await.1, due);
        assert!(!path.exists(), "{} stays", path.display());
    }
    assert_eq!(place.host.due(place.id, later(0)).await.unwrap(), Due::default());
    assert_eq!(place.git(&["rev-parse", "main"]), first.to_string());
}

#[tokio::test]
async fn while_a_push_is_on_its_way_all_is_done_but_what_takes_objects_away() {
    let (place, first) = Place::with_repository().await;
    let blob = leave_unreached(&place, first, "to be forgotten");
    let quarantine = place.host.path(place.id).join("objects/tmp_objdir-incoming-silent");
    std::fs::create_dir(&quarantine).unwrap();
    let old = std::time::SystemTime::now() - Duration::from_secs(30);
    std::fs::File::open(&quarantine).unwrap().set_modified(old).unwrap();
    let push = place.host.lock_for_push(place.id).await.unwrap();
    assert!(place.host.lock_objects(place.id, SOON).await.unwrap_err().is_passing());
    let lock = place.host.lock_within(place.id, Hold::Exclusive, SOON).await.unwrap();
    let refs = UpdateRef::new(place.host.clone());
    let what = (Due::ALL, Duration::ZERO);
    let done = place.host.maintain((&lock, None), &refs, what, later(0)).await.unwrap().done;
    assert_eq!(done, Due { quarantines: Left::Nothing, prune: false, ..Due::ALL });
    assert!(quarantine.exists() && place.git(&["cat-file", "-t", &blob]) == "blob");
    drop((lock, push));
    run(&place, what, later(0)).await;
    assert!(!quarantine.exists());
    assert!(!git(&place.host.path(place.id), &["cat-file", "-e", &blob]).status.success());
}

/// What git would take for the packed-refs that it has read is the one of the same second.
#[tokio::test]
async fn refs_are_not_packed_in_the_second_in_which_packed_refs_was_written() {
    let (place, first) = Place::with_repository().await;
    place.git(&["pack-refs", "--all"]);
    place.git(&["update-ref", "refs/heads/topic", &first.to_string()]);
    let packed = place.host.path(place.id).join("packed-refs");
    // Whatever second it is when upkeep looks.
    let soon = std::time::SystemTime::now() + Duration::from_secs(3);
    std::fs::File::options().append(true).open(&packed).unwrap().set_modified(soon).unwrap();
    run(&place, (Due::ALL, KEPT), later(0)).await;
    assert!(place.host.path(place.id).join("refs/heads/topic").exists(), "it is left to the next turn");
    let before = std::time::SystemTime::now() - Duration::from_secs(2);
    std::fs::File::options().append(true).open(&packed).unwrap().set_modified(before).unwrap();
    run(&place, (Due::ALL, KEPT), later(0)).await;
    assert!(!place.host.path(place.id).join("refs/heads/topic").exists());
}

/// A git that does not end when it is told to while it packs, and lives a moment longer than who started it.
async fn stubborn(place: &Place) -> GitHost {
    let program = place.dir.path().join("stubborn-git");
    let script = "#!/bin/sh\ncase \" $* \" in *' repack '*) trap '' TERM; touch \"$0.begun\"; sleep 20;; esac\n\
                  exec git \"$@\"\n";
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    GitHost::open(&place.dir.path().join("repositories"), Some(&program)).await.unwrap()
}

#[tokio::test]
async fn a_prune_that_outlives_its_server_keeps_pushes_out() {
    let (place, _) = Place::with_repository().await;
    let (host, id) = (stubborn(&place).await, place.id);
    let pruning = tokio::spawn(async move {
        let objects = host.lock_objects(id, SOON).await.unwrap();
        let lock = host.lock(id, Hold::Exclusive).await.unwrap();
        let refs = UpdateRef::new(host.clone());
        host.maintain((&lock, Some(&objects)), &refs, (Due::ALL, KEPT), later(0)).await.map(drop)
    });
    while !place.dir.path().join("stubborn-git.begun").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // All that goes with a server which is killed; its git goes a third of a second later.
    pruning.abort();
    assert!(pruning.await.unwrap_err().is_cancelled());
    let early = place.host.lock_objects(place.id, SOON).await;
    assert!(early.is_err_and(|error| error.is_passing()), "its git still throws objects away");
    drop(place.host.lock_for_push(place.id).await.unwrap());
}
