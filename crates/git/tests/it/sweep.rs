//! What a crash leaves is removed, and only what a crash can have left.

use std::fs::{File, create_dir_all, remove_file, rename, write};
use std::time::{Duration, SystemTime};

use countersign_git::GitError;
use countersign_git::lock::Hold;
use countersign_git::refs::RefName;
use countersign_git::transaction::{RefEdit, RefOutcome, RefTransaction as _, UpdateRef};

use crate::place::{Place, main_branch};

fn age(path: &std::path::Path, by: Duration) {
    File::options().append(true).open(path).unwrap().set_modified(SystemTime::now() - by).unwrap();
}

#[tokio::test]
async fn stale_ref_locks_go_and_refs_stay() {
    let (place, tip) = Place::with_repository().await;
    let repository = place.host.path(place.id);
    create_dir_all(repository.join("refs/proposals/deep")).unwrap();
    let left = [
        "HEAD.lock",
        "packed-refs.lock",
        "refs/heads/main.lock",
        "refs/proposals/a.lock",
        "refs/proposals/deep/b.lock",
    ];
    for name in left {
        write(repository.join(name), "").unwrap();
        age(&repository.join(name), Duration::from_secs(6));
    }
    let lock = place.host.lock(place.id, Hold::Exclusive).await.unwrap();
    let swept = place.host.sweep(&lock).await.unwrap();
    let mut removed: Vec<_> = swept.locks.iter().map(|path| path.to_str().unwrap()).collect();
    removed.sort_unstable();
    assert_eq!(removed, left);
    assert_eq!(place.git(&["rev-parse", "main"]), tip.to_string());
    assert_eq!(place.host.sweep(&lock).await.unwrap().locks.len(), 0, "a second sweep finds nothing");
}

#[tokio::test]
async fn a_branch_that_a_crash_locked_moves_again_after_the_sweep() {
    let (place, tip) = Place::with_repository().await;
    write(place.host.path(place.id).join("refs/heads/main.lock"), "").unwrap();
    let lock = place.host.lock(place.id, Hold::Exclusive).await.unwrap();
    let edits = [RefEdit::Update { name: RefName::Branch(main_branch()), new: tip, old: tip }];
    let refs = UpdateRef::new(place.host.clone());
    assert_eq!(refs.commit(&lock, &edits).await.unwrap(), RefOutcome::Locked);
    place.host.sweep(&lock).await.unwrap();
    assert_eq!(refs.commit(&lock, &edits).await.unwrap(), RefOutcome::Done);
}

/// A push straight to the folder takes no repository lock: what it holds is its own.
#[tokio::test]
async fn the_lock_of_a_living_git_outside_stays_and_one_that_a_crash_just_left_goes() {
    let (place, _) = Place::with_repository().await;
    let heads = place.host.path(place.id).join("refs/heads");
    let [crashed, ended, next] = ["crashed.lock", "ended.lock", "next.lock"].map(|name| heads.join(name));
    for path in [&crashed, &ended, &next] {
        write(path, "").unwrap();
    }
    let host = place.host.clone();
    let lock = host.lock(place.id, Hold::Exclusive).await.unwrap();
    let sweeping = tokio::spawn(async move { host.sweep(&lock).await.unwrap() });
    // While it is watched, one git ends, and another one takes the same lock after the first.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(crashed.exists(), "not before it is old");
    remove_file(&ended).unwrap();
    write(heads.join("new"), "another file, so another inode").unwrap();
    rename(heads.join("new"), &next).unwrap();
    let swept = sweeping.await.unwrap();
    assert_eq!(swept.locks, [std::path::Path::new("refs/heads/crashed.lock")]);
    assert!(!crashed.exists() && next.exists());
}

#[tokio::test]
async fn temporary_objects_go_once_they_are_old() {
    let (place, _) = Place::with_repository().await;
    let objects = place.host.path(place.id).join("objects");
    create_dir_all(objects.join("ab")).unwrap();
    create_dir_all(objects.join("pack")).unwrap();
    let old = [".tmpAbCdEf", "ab/tmp_obj_x", "pack/tmp_pack_y", "ab/.tmpXyZ"].map(|name| objects.join(name));
    for path in &old {
        write(path, "").unwrap();
        age(path, Duration::from_secs(3700));
    }
    let (young, other) = (objects.join(".tmpYoung1"), objects.join("pack/pack-z.keep"));
    write(&young, "").unwrap();
    write(&other, "").unwrap();
    age(&other, Duration::from_secs(3700));
    let lock = place.host.lock(place.id, Hold::Exclusive).await.unwrap();
    assert_eq!(place.host.sweep(&lock).await.unwrap().objects, old.len());
    assert!(old.iter().all(|path| !path.exists()) && young.exists() && other.exists());
}

#[tokio::test]
async fn without_the_exclusive_lock_nothing_is_swept() {
    let (place, _) = Place::with_repository().await;
    let left = place.host.path(place.id).join("refs/heads/main.lock");
    write(&left, "").unwrap();
    for hold in [Hold::Approval, Hold::Push] {
        let lock = place.host.lock(place.id, hold).await.unwrap();
        let refused = place.host.sweep(&lock).await;
        assert!(matches!(refused, Err(GitError::Busy(_))), "{refused:?}");
    }
    assert!(left.exists());
}

#[tokio::test]
async fn the_quarantine_of_a_killed_push_goes_and_one_that_is_written_stays() {
    let (place, tip) = Place::with_repository().await;
    let objects = place.host.path(place.id).join("objects");
    let (dead, alive) = (objects.join("tmp_objdir-incoming-dead"), objects.join("tmp_objdir-incoming-alive"));
    for folder in [&dead, &alive] {
        create_dir_all(folder.join("pack")).unwrap();
        write(folder.join("pack/tmp_pack_x"), [0; 1000]).unwrap();
    }
    assert!(place.host.size(place.id).await.unwrap() > 2000, "what is in quarantine counts");
    let old = SystemTime::now() - Duration::from_secs(6);
    for part in [dead.join("pack/tmp_pack_x"), dead.join("pack"), dead.clone(), alive.clone()] {
        File::open(part).unwrap().set_modified(old).unwrap();
    }
    let lock = place.host.lock_objects(place.id, Duration::from_secs(1)).await.unwrap();
    let swept = place.host.sweep_quarantines(&lock).await.unwrap();
    assert_eq!((swept.removed, swept.young), (1, 1));
    assert!(!dead.exists() && alive.exists(), "what is being written is not removed");
    assert_eq!(place.git(&["rev-parse", "main"]), tip.to_string());
}
