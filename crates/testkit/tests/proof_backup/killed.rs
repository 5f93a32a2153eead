//! Killed anywhere: a backup leaves no file, a restore leaves what no server starts on and begins anew.

use std::path::{Path, PathBuf};
use std::time::Duration;

use countersign_app::testing::noise::noise;
use countersign_store::testing::Folder;
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::House;
use countersign_testkit::repo::{git_ok, tip};
use countersign_testkit::server::{Options, TestServer, operate};
use countersign_testkit::{timed, trials};
use tokio::process::Command;

use crate::place::{Ended, backup, command, everything_in, restore, verify};

/// Enough that a kill finds it at work.
const BYTES: usize = 3 << 20;
/// At how many moments of a restore it is killed.
const KILLS: usize = 14;
/// A server that does not refuse to start would serve for ever.
const REFUSAL: Duration = Duration::from_secs(30);

/// A house with something to pack.
async fn heavy(engine: Engine) -> House {
    let house = House::build(engine, &Options::default()).await;
    let folder = house.data.folder();
    git_ok(&folder, &["clone", "-q", &house.clone_url(), "work"]).await;
    let work = folder.join("work");
    std::fs::write(work.join("noise"), noise(1, BYTES)).expect("the work tree is writable");
    git_ok(&work, &["add", "-A"]).await;
    let who = ["-c", "user.name=P", "-c", "user.email=p@countersign.example"];
    git_ok(&work, &[&who[..], &["commit", "-q", "-m", "Noise"]].concat()).await;
    git_ok(&work, &["push", "-q", "origin", "HEAD:main"]).await;
    house
}

/// Runs a command and kills it after a while; how it ended, where it was faster.
async fn cut_short(mut command: Command, after: Duration) -> Option<Ended> {
    let mut child = command.spawn().expect("the program starts");
    if tokio::time::timeout(after, child.wait()).await.is_err() {
        child.kill().await.expect("it can be killed");
        return None;
    }
    Some(Ended::of(&child.wait_with_output().await.expect("its output is readable")))
}

/// Moments from the first one on, each a little later.
fn moments(count: usize, step: Duration) -> impl Iterator<Item = Duration> {
    (1..=count).map(move |n| step * u32::try_from(n).expect("a small number"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_is_killed_leaves_no_file_and_the_next_one_works() {
    let house = heavy(Engine::Sqlite).await;
    let files = Folder::new();
    let file = files.path().join("a.tar");
    let (mut killed, mut drafts) = (0, 0);
    for after in moments(trials(20, 100), Duration::from_millis(10)) {
        match cut_short(command(&house.data, "backup", &file, &[]), after).await {
            None if file.exists() => drop(verify(&house.data, &file).await.ok()),
            None => {
                killed += 1;
                drafts += usize::from(!everything_in(files.path()).is_empty());
            }
            Some(ended) => drop(ended.ok()),
        }
        let _ = std::fs::remove_file(&file);
    }
    assert!(drafts > 0, "{killed} kills, and none found it at work");
    backup(&house.data, &file).await.ok();
    verify(&house.data, &file).await.ok();
    assert_eq!(everything_in(files.path()), [file], "the draft of a killed one is gone");
    println!("proof: a backup killed at work: {killed} kills, {drafts} left a draft, none a file");
}

/// Whether a restore was begun there and did not end.
fn is_marked(place: &Data) -> bool {
    place.repositories().join("restore-under-way").exists()
}

async fn a_restore_that_is_killed(engine: Engine) {
    let house = heavy(engine).await;
    let files = Folder::new();
    let file = files.path().join("a.tar");
    backup(&house.data, &file).await.ok();
    // How long it takes today, on this machine.
    let first = Data::new(engine).await;
    let (done, whole) = timed(restore(&first, &file)).await;
    done.ok();
    first.remove().await;
    let (rounds, mut killed, mut marked) = (trials(1, 10), 0, 0);
    for _ in 0..rounds {
        let place = Data::new(engine).await;
        for after in moments(KILLS, whole / u32::try_from(KILLS).expect("a small number")) {
            let ended = cut_short(command(&place, "restore", &file, &[]), after).await;
            if let Some(ended) = ended {
                ended.ok();
                break;
            }
            killed += 1;
            if is_marked(&place) {
                marked += 1;
                no_server_starts(&place).await;
            } else if place.repositories().exists() {
                // It was killed behind its end.
                break;
            }
        }
        if !place.repositories().exists() || is_marked(&place) {
            restore(&place, &file).await.ok();
        }
        is_restored(&house, &place).await;
        place.remove().await;
    }
    assert!(marked > 0, "{killed} kills, and none found it at work");
    println!(
        "proof: a restore killed at work on {engine:?}: {killed} kills, {marked} left it half, {rounds} whole in the end"
    );
    let House { data, mut server, .. } = house;
    server.kill().await;
    data.remove().await;
}

async fn no_server_starts(place: &Data) {
    let mut serve = operate(place, &["serve"]);
    serve.env("COUNTERSIGN_BIND", "127.0.0.1:0");
    let ended = cut_short(serve, REFUSAL).await.expect("it does not serve");
    assert_eq!(ended.code, Some(1), "{}", ended.said);
    assert!(ended.said.to_string().contains("was begun and has not ended"), "{}", ended.said);
}

async fn is_restored(house: &House, place: &Data) {
    let bare = place.repositories().join(format!("{}.git", house.repository));
    assert_eq!(tip(&bare).await, tip(&house.bare()).await);
    git_ok(&bare, &["fsck", "--strict", "--no-dangling"]).await;
    assert!(left_beside(&place.folder()).is_empty());
    TestServer::start(place, &Options::default()).await.stop().await;
}

/// What a restore puts somewhere before it gets its name.
fn left_beside(folder: &Path) -> Vec<PathBuf> {
    let is_draft = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.contains("restoring") || name.ends_with(".git.new")
    };
    everything_in(folder).into_iter().filter(is_draft).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_that_is_killed_begins_anew_on_sqlite() {
    a_restore_that_is_killed(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restore_that_is_killed_begins_anew_on_postgres() {
    a_restore_that_is_killed(Engine::Postgres).await;
}
