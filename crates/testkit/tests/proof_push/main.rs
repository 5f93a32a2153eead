//! Must show: a push that is killed at any point leaves the ref where it was or where it was to be, nothing half, and
//! its story exactly once. And a large push and clone leave the server small.
#![cfg(test)]

mod big;
mod many;
mod yard;

use std::time::Duration;

use countersign_app::fault::Point;
use countersign_testkit::data::Engine;
use countersign_testkit::repo::{git_ok, push, tip};
use countersign_testkit::server::Options;
use countersign_testkit::trials;

use crate::yard::{Yard, quarantines};

/// The points that every push passes.
const ORDINARY: [Point; 6] =
    [Point::AskPush, Point::TakeRefs, Point::DecidePush, Point::KeepPush, Point::SyncPush, Point::RecordPush];

fn killed_at(point: &str) -> Options {
    Options { kill_at: Some(point.to_owned()), ..Options::default() }
}

/// A linear congruential generator (Knuth, MMIX).
struct Dice(u64);

impl Dice {
    fn moment(&mut self, window: Duration) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let micros = u64::try_from(window.as_micros()).unwrap_or(u64::MAX).max(1);
        Duration::from_micros((self.0 >> 33) % micros)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_passes_each_ordinary_point_once_and_no_other() {
    let mut yard = Yard::open(Engine::Sqlite).await;
    let notes = yard.house.data.folder().join("notes");
    yard.house.restart(&Options { notes: Some(notes.clone()), ..Options::default() }).await;
    yard.change().await;
    assert!(yard.push().wait().await.expect("git ends").success());
    let passed = std::fs::read_to_string(&notes).expect("the points are noted");
    assert_eq!(passed.lines().collect::<Vec<_>>(), ORDINARY.map(Point::as_str));
    yard.is_sound("a push").await;
}

async fn killed_at_every_point(engine: Engine) {
    let mut yard = Yard::open(engine).await;
    let kills = trials(2, 10);
    for point in ORDINARY {
        for n in 0..kills {
            let what = format!("{} {n}", point.as_str());
            let (old, new) = (tip(&yard.house.bare()).await, yard.change().await);
            yard.house.restart(&killed_at(&format!("{}:1", point.as_str()))).await;
            let pushed = yard.push().wait().await.expect("git ends").success();
            let moved = matches!(point, Point::SyncPush | Point::RecordPush);
            assert!(!pushed || moved, "{what}: the server was killed before it answered");
            assert!(yard.house.server.ended().await, "{what}: by a signal");
            // Killed again by who finds it.
            if point == Point::RecordPush {
                for found in ["take_alone_for_refs:1", "tell_refs:1"] {
                    yard.house.dies_at_start(&killed_at(found)).await;
                }
            }
            yard.restart().await;
            let now = tip(&yard.house.bare()).await;
            assert_eq!(now, if moved { new } else { old }, "{what}");
            yard.is_sound(&what).await;
            let last = yard.told().await.pop();
            assert!(
                !moved || last.is_some_and(|(kind, _, _)| kind == "push (recovered)"),
                "{what}: it is told as recovered"
            );
        }
    }
    println!(
        "proof: a push killed at each of its points on {engine:?}: {} kills, each told once",
        ORDINARY.len() * kills
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_every_point_on_sqlite() {
    killed_at_every_point(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_every_point_on_postgres() {
    killed_at_every_point(Engine::Postgres).await;
}

/// What is killed at a random moment of a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Server,
    /// Every git of the server that works in the repository.
    Git,
    Client,
}

async fn killed_at_random(engine: Engine, victim: Victim) {
    let mut yard = Yard::open(engine).await;
    let (mut dice, mut window) = (Dice(20_261_130), Duration::from_millis(400));
    let (mut cut_short, mut moved, rounds) = (0, 0, trials(10, 50));
    for n in 0..rounds {
        let what = format!("{victim:?} {n}");
        let (old, new) = (tip(&yard.house.bare()).await, yard.change().await);
        let before = connections(&yard);
        let mut pushing = yard.push();
        tokio::time::sleep(dice.moment(window)).await;
        match victim {
            Victim::Server => yard.house.server.kill().await,
            // It may be a while until there is one.
            Victim::Git => {
                while !kill_gits(&yard) && pushing.try_wait().is_ok_and(|ended| ended.is_none()) {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            }
            Victim::Client => drop(pushing.start_kill()),
        }
        let pushed = pushing.wait().await.expect("git ends").success();
        cut_short += u32::from(!pushed);
        // As many before the end as after it, however fast the machine is.
        window = if pushed { window * 7 / 8 } else { window * 9 / 8 };
        if victim == Victim::Client {
            at_rest(&yard, before).await;
        } else {
            yard.restart().await;
        }
        let now = tip(&yard.house.bare()).await;
        assert!(now == old || now == new, "{what}: the branch is elsewhere");
        assert!(!pushed || now == new, "{what}: git was told that it is pushed");
        moved += u32::from(now == new);
        yard.is_sound(&what).await;
    }
    assert!(cut_short > 0, "nothing was cut short");
    println!(
        "proof: a push whose {victim:?} is killed at random on {engine:?}: {rounds} kills, {cut_short} cut short, {moved} moved, each told once"
    );
}

/// Waits until the server has seen that the client of the push is gone, no git works for it any more, and the log
/// has its story. There were so many connections before it.
async fn at_rest(yard: &Yard, before: usize) {
    while connections(yard) > before {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    loop {
        let (gits, now, told) = (gits(yard).len(), tip(&yard.house.bare()).await, yard.told().await);
        let last = told.last().and_then(|(_, _, new)| new.clone()).unwrap_or_else(|| yard.first.clone());
        if gits == 0 && quarantines(&yard.house.bare()) == 0 && last == now {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// How many connections to the server it has not closed (proc_net_tcp: the second column ends with the port of this
/// side, the fourth is the state).
fn connections(yard: &Yard) -> usize {
    let port = format!(":{:04X}", yard.house.server.port);
    let text = std::fs::read_to_string("/proc/net/tcp").expect("connections are listed");
    let open = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|columns| {
        columns.get(1).is_some_and(|local| local.ends_with(&port))
            && columns.get(3).is_some_and(|state| ["01", "08"].contains(state))
    });
    open.count()
}

/// The processes that work in the bare repository.
fn gits(yard: &Yard) -> Vec<i32> {
    let place = yard.house.bare().canonicalize().expect("the repository is there");
    let processes = std::fs::read_dir("/proc").expect("there is a /proc").flatten();
    let there = processes
        .filter(|process| std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == place));
    there.filter_map(|process| process.file_name().to_str()?.parse().ok()).collect()
}

/// Whether there were any.
fn kill_gits(yard: &Yard) -> bool {
    let found = gits(yard);
    for pid in found.iter().copied().filter_map(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    !found.is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_killed_at_random() {
    killed_at_random(Engine::Sqlite, Victim::Server).await;
    killed_at_random(Engine::Postgres, Victim::Server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn its_git_killed_at_random() {
    killed_at_random(Engine::Sqlite, Victim::Git).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_killed_at_random() {
    killed_at_random(Engine::Postgres, Victim::Client).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pushes_to_many_branches_at_once_are_each_told_once_in_two_servers() {
    let mut yard = Yard::open(Engine::Postgres).await;
    let second = countersign_testkit::server::TestServer::start(&yard.house.data, &Options::default()).await;
    yard.change().await;
    let there = yard.house.clone_url();
    let here = there.replace(&yard.house.server.port.to_string(), &second.port.to_string());
    let mut pushes = Vec::new();
    for n in 0..6 {
        let to = if n % 2 == 0 { &there } else { &here };
        pushes.push(push(&yard.work, to, &[&format!("HEAD:branch-{n}")]));
    }
    for mut push in pushes {
        assert!(push.wait().await.expect("git ends").success());
    }
    let listed =
        git_ok(&yard.house.bare(), &["for-each-ref", "--format=%(refname)", "refs/heads/branch-*"]).await;
    assert_eq!(listed.lines().count(), 6);
    second.stop().await;
    yard.restart().await;
    yard.is_sound("many").await;
}

#[test]
fn every_fault_point_of_a_push_is_hit_by_a_test_of_this_file() {
    let source = include_str!("main.rs");
    let of_pushes = [Point::TakeAloneForRefs, Point::TellRefs];
    for point in of_pushes {
        assert!(source.contains(&format!("\"{}:1\"", point.as_str())), "nothing kills at {}", point.as_str());
    }
}
