//! Must show: killed at every step of an execution, between git's two renames, and at random, an approval ends
//! with exactly one commit and `executed`, or with none and a state that can be approved again.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod beside;
mod landing;
mod random;
mod torn;

use std::collections::BTreeMap;
use std::time::Duration;

use countersign_app::fault::Point;
use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::{commits, git_ok, is_free};
use countersign_testkit::server::Options;
use countersign_testkit::trials;
use countersign_testkit::wrapper::{self, Mishap};
use reqwest::Method;

use crate::landing::{killed_at, lands_once};

/// How many kills at each point.
fn kills() -> usize {
    trials(5, 50)
}

/// The points that every first approval passes.
const ORDINARY: [Point; 7] = [
    Point::Begin,
    Point::ReadRow,
    Point::ReadRefs,
    Point::StartGit,
    Point::WriteObjects,
    Point::MoveRefs,
    Point::Finish,
];

async fn killed_at_every_ordinary_point(engine: Engine) {
    let mut house = House::build(engine, &Options::default()).await;
    let mut hit = BTreeMap::new();
    for point in ORDINARY {
        for n in 0..kills() {
            let what = format!("{} {n}", point.as_str());
            let proposal =
                house.propose(&format!("kill-{}-{n}", point.as_str()), &format!("{what}.txt"), "x\n").await;
            let before = commits(&house.bare()).await;
            house.restart(&killed_at(&format!("{}:1", point.as_str()))).await;
            assert!(
                house.approve(&proposal).await.is_none(),
                "{what}: the server was killed before it answered"
            );
            assert!(house.server.ended().await, "{what}: by a signal");
            *hit.entry(point).or_insert(0) += 1;
            // Killed again by whoever finishes it.
            let written = (point == Point::WriteObjects).then_some("make_tree:1");
            let landed = ["read_history:1", "sync_refs:1"].into_iter().filter(|_| point == Point::Finish);
            for at in written.into_iter().chain(landed) {
                house.dies_at_start(&killed_at(at)).await;
            }
            house.restart(&Options::default()).await;
            lands_once(&house, &proposal, before, &what).await;
        }
    }
    assert_eq!(hit.len(), ORDINARY.len());
    println!(
        "proof: killed at each of {} points on {engine:?}: {} kills, one commit each",
        hit.len(),
        hit.values().sum::<usize>()
    );
    git_ok(&house.bare(), &["fsck", "--strict"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_passes_each_ordinary_point_once_and_no_other() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    let notes = house.data.folder().join("notes");
    house.restart(&Options { notes: Some(notes.clone()), ..Options::default() }).await;
    let proposal = house.propose("counted-once", "counted.txt", "x\n").await;
    house.approve(&proposal).await.expect("the server answers");
    let passed = std::fs::read_to_string(&notes).expect("the points are noted");
    assert_eq!(passed.lines().collect::<Vec<_>>(), ORDINARY.map(Point::as_str));
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_every_ordinary_point_on_sqlite() {
    killed_at_every_ordinary_point(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_every_ordinary_point_on_postgres() {
    killed_at_every_ordinary_point(Engine::Postgres).await;
}

/// Kills at the points of whoever finds a ref locked, and of whoever gives up.
async fn killed_where_it_sweeps_and_where_it_gives_up(engine: Engine) {
    let mut house = House::build(engine, &Options::default()).await;
    for n in 0..kills() {
        for kill_at in ["take_alone:1", "sweep:1"] {
            killed_at_a_locked_ref(&mut house, kill_at, n).await;
        }
        for kill_at in ["recheck:1", "give_up:1"] {
            killed_while_git_refuses(&mut house, kill_at, n).await;
        }
    }
    println!("proof: killed where it sweeps and gives up on {engine:?}: {} kills, none lost", 4 * kills());
}

/// A lock that somebody left: after a second the locks are swept, and that is where the kill comes.
async fn killed_at_a_locked_ref(house: &mut House, kill_at: &str, n: usize) {
    let what = format!("{} {n}", kill_at.replace(':', "-"));
    let before = commits(&house.bare()).await;
    let proposal = house.propose(&format!("locked-{what}"), &format!("{what}.txt"), "x\n").await;
    house.restart(&killed_at(kill_at)).await;
    std::fs::write(house.bare().join("refs/heads/main.lock"), "").expect("a lock can be left");
    assert!(house.approve(&proposal).await.is_none(), "{what}: killed");
    assert!(house.server.ended().await, "{what}: by a signal");
    house.restart(&Options::default()).await;
    lands_once(house, &proposal, before, &what).await;
}

/// A git that refuses: nothing landed, so it is given up, and that is where the kill comes. Not killed, the
/// proposal is `failed`, nothing changed, and it can be approved again.
async fn killed_while_git_refuses(house: &mut House, kill_at: &str, n: usize) {
    let what = format!("{} {n}", kill_at.replace(':', "-"));
    let before = commits(&house.bare()).await;
    let proposal = house.propose(&format!("refused-{what}"), &format!("{what}.txt"), "x\n").await;
    let (git, armed) = wrapper::write(&house.data.folder(), Mishap::Refuses);
    std::fs::write(&armed, "").expect("the mishap can be armed");
    house.restart(&Options { git: Some(git.clone()), ..killed_at(kill_at) }).await;
    assert!(house.approve(&proposal).await.is_none(), "{what}: killed");
    assert!(house.server.ended().await, "{what}: by a signal");
    house.restart(&Options { git: Some(git), ..Options::default() }).await;
    let (_, shown) = house.api(Method::GET, &format!("/api/v1/proposals/{proposal}"), None).await;
    assert_eq!(shown["status"], "failed", "{what}: {shown}");
    assert_eq!(commits(&house.bare()).await, before, "{what}");
    let (status, body) = house.approve(&proposal).await.expect("the server answers");
    assert_eq!((status.as_u16(), body["code"].as_str()), (503, Some("proposal_failed")), "{what}: {body}");
    let _ = std::fs::remove_file(&armed);
    lands_once_again(house, &proposal, before).await;
}

/// A failed proposal is approved again, which is a new decision.
async fn lands_once_again(house: &House, proposal: &str, before: usize) {
    let (status, body) = house.approve(proposal).await.expect("the server answers");
    assert_eq!((status.as_u16(), body["replayed"].as_bool()), (200, Some(false)), "{body}");
    assert_eq!(commits(&house.bare()).await, before + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_where_it_sweeps_and_where_it_gives_up_on_sqlite() {
    killed_where_it_sweeps_and_where_it_gives_up(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_where_it_sweeps_and_where_it_gives_up_on_postgres() {
    killed_where_it_sweeps_and_where_it_gives_up(Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_git_that_ends_badly_under_a_living_server_is_finished_by_the_same_call() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    for n in 0..kills() {
        for mishap in [Mishap::KilledBetweenRenames, Mishap::FailsAfterwards, Mishap::Lingers] {
            let what = format!("{mishap:?} {n}");
            let before = commits(&house.bare()).await;
            let proposal = house.propose(&format!("alone-{what}"), &format!("{what}.txt"), "x\n").await;
            let (git, armed) = wrapper::write(&house.data.folder(), mishap);
            std::fs::write(armed, "").expect("the mishap can be armed");
            house.restart(&Options { git: Some(git), ..Options::default() }).await;
            lands_once(&house, &proposal, before, &what).await;
            // One that does not end is ended: then nobody holds the repository.
            assert!(is_free(&house.bare()).await, "{what}: its lock is held for ever");
        }
    }
    println!("proof: git ends badly, the server lives: {} times, one commit each", 3 * kills());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_orphaned_git_keeps_the_lock_until_it_ends() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let mut house = House::build(engine, &Options::default()).await;
        for n in 0..kills() {
            let before = commits(&house.bare()).await;
            let proposal = house.propose(&format!("orphan-{n}"), &format!("orphan-{n}.txt"), "x\n").await;
            let (git, armed) = wrapper::write(&house.data.folder(), Mishap::Late);
            std::fs::write(&armed, "").expect("the mishap can be armed");
            house.restart(&Options { git: Some(git), ..Options::default() }).await;
            let approving = house.approve_later(&proposal);
            // Once the branch is locked, git waits for its last word, and then sleeps in the rename.
            let locked = house.bare().join("refs/heads/main.lock");
            while armed.exists() || !locked.exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
            house.server.kill().await;
            assert!(locked.exists(), "the orphan lives");
            assert!(!approving.await.expect("the call ends"), "killed before it answered");
            house.restart(&Options::default()).await;
            lands_once(&house, &proposal, before, &format!("orphan {n}")).await;
        }
    }
    println!("proof: the server is killed, its git lives on: {} times, one commit each", 2 * kills());
}

#[test]
fn every_fault_point_is_hit_by_one_of_these_tests() {
    let source = concat!(include_str!("main.rs"), include_str!("torn.rs"));
    // Those of a push have a test of their own.
    let pushes = include_str!("../proof_push/main.rs");
    for point in Point::ALL {
        let ordinary = ORDINARY.contains(&point) || pushes.contains(&format!("Point::{point:?}"));
        assert!(
            ordinary || source.contains(&format!("\"{}:1\"", point.as_str())),
            "nothing kills at {}",
            point.as_str()
        );
    }
}
