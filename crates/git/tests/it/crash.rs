//! A git that is killed in the middle of its work, and writers that race while refs are packed.

use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_git::lock::Hold;
use countersign_git::refs::RefName;
use countersign_git::running::Running;
use countersign_git::transaction::{RefEdit, RefOutcome, RefTransaction as _, UpdateRef};
use countersign_git::{GitError, GitHost};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use crate::place::{Place, main_branch, open, proposal};

const SOON: Duration = Duration::from_millis(50);

fn child(place: &Place, tip: Oid, text: &str) -> Oid {
    let tree = place.git(&["rev-parse", &format!("{tip}^{{tree}}")]);
    Oid::parse(&place.git(&["commit-tree", &tree, "-p", &tip.to_string(), "-m", text])).unwrap()
}

fn approval(number: u128, new: Oid, old: Oid) -> [RefEdit; 2] {
    let marker = RefName::Marker(proposal(number));
    [
        RefEdit::Create { name: marker, new },
        RefEdit::Update { name: RefName::Branch(main_branch()), new, old },
    ]
}

/// A git that has locked marker and branch and waits for its last word.
async fn prepared(place: &Place, new: Oid, old: Oid) -> (Running, tokio::process::ChildStdin) {
    let lock = place.host.lock(place.id, Hold::Approval).await.unwrap();
    let command = place.host.write_command(&lock, "update-ref").unwrap();
    let mut running = command.args(["--no-deref", "--stdin"]).start().unwrap();
    let (input, output, _) = running.take_streams();
    let mut input = input.unwrap();
    let marker = RefName::Marker(proposal(7)).full();
    let script = format!("start\ncreate {marker} {new}\nupdate refs/heads/main {new} {old}\nprepare\n");
    input.write_all(script.as_bytes()).await.unwrap();
    let mut lines = BufReader::new(output.unwrap()).lines();
    while lines.next_line().await.unwrap().unwrap() != "prepare: ok" {}
    (running, input)
}

#[tokio::test]
async fn the_locks_of_a_living_git_are_never_swept_and_those_of_a_killed_one_are() {
    let (place, base) = Place::with_repository().await;
    let new = child(&place, base, "one");
    let (mut running, input) = prepared(&place, new, base).await;
    let branch_lock = place.host.path(place.id).join("refs/heads/main.lock");
    assert!(branch_lock.exists());

    // The server of that git has let go of the lock; another server wants to sweep.
    let other = open(place.dir.path()).await;
    let early = other.lock_within(place.id, Hold::Exclusive, SOON).await;
    assert!(matches!(early, Err(GitError::Busy(_))), "{early:?}");

    let group = Pid::from_raw(i32::try_from(running.id().unwrap()).unwrap()).unwrap();
    kill_process_group(group, Signal::KILL).unwrap();
    running.wait().await.unwrap();
    drop(input);
    assert!(branch_lock.exists(), "a killed git cannot tidy up");

    let lock = other.lock(place.id, Hold::Exclusive).await.unwrap();
    let edits = approval(7, new, base);
    let refs = UpdateRef::new(other.clone());
    assert_eq!(refs.commit(&lock, &edits).await.unwrap(), RefOutcome::Locked);
    assert!(!other.sweep(&lock).await.unwrap().locks.is_empty());
    assert_eq!(refs.commit(&lock, &edits).await.unwrap(), RefOutcome::Done);
}

#[tokio::test]
async fn a_git_that_nobody_waits_for_tidies_up_and_ends() {
    let (place, base) = Place::with_repository().await;
    let new = child(&place, base, "one");
    let (running, input) = prepared(&place, new, base).await;
    drop((running, input));
    // Once it is gone the lock is free, and its own lock files are gone with it.
    let lock = place.host.lock(place.id, Hold::Exclusive).await.unwrap();
    assert!(!place.host.path(place.id).join("refs/heads/main.lock").exists());
    let outcome = UpdateRef::new(place.host.clone()).commit(&lock, &approval(7, new, base)).await.unwrap();
    assert_eq!(outcome, RefOutcome::Done);
}

/// One attempt of one server: look, build on what was seen, move.
async fn attempt(place: &Place, host: &GitHost, number: u128, new: Oid, old: Oid) -> RefOutcome {
    let lock = host.lock(place.id, Hold::Approval).await.unwrap();
    UpdateRef::new(host.clone()).commit(&lock, &approval(number, new, old)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_servers_on_one_base_exactly_one_moves_the_branch_while_refs_are_packed() {
    let (place, mut tip) = Place::with_repository().await;
    let other = open(place.dir.path()).await;
    let packing = tokio::spawn({
        let (host, folder) = (place.host.clone(), place.host.path(place.id));
        async move {
            loop {
                let command = host.git().command(&folder, "pack-refs").arg("--all");
                let _ = command.run(Vec::new(), countersign_git::process::Limits::SHORT).await;
            }
        }
    });
    for round in 0..25_u128 {
        let (a, b) = (child(&place, tip, "a"), child(&place, tip, &format!("b{round}")));
        let (ours, theirs) = tokio::join!(
            attempt(&place, &place.host, 2 * round + 1, a, tip),
            attempt(&place, &other, 2 * round + 2, b, tip)
        );
        let seen = place.host.with(place.id, |repo| repo.tip(&main_branch())).await.unwrap().unwrap();
        match (ours, theirs) {
            (RefOutcome::Done, RefOutcome::Conflict) => assert_eq!(seen, a),
            (RefOutcome::Conflict, RefOutcome::Done) => assert_eq!(seen, b),
            both => panic!("{both:?} in round {round}"),
        }
        tip = seen;
    }
    packing.abort();
    assert_eq!(place.git(&["rev-list", "--count", "main"]), "26");
    assert_eq!(place.git(&["for-each-ref", "refs/proposals/"]).lines().count(), 25);
}
