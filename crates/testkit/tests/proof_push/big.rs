//! A push and a clone of 100 MB through the program that ships, and how large it and its gits grow.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::git_ok;
use countersign_testkit::server::{Options, Ships, TestServer};
use countersign_testkit::timed;

use countersign_app::testing::noise::noise;

/// How many files, and how large each.
const FILES: u64 = 4;
const BYTES: usize = 25 << 20;
/// How much memory the server may take for both, above what it took before.
const MOST_KIB: u64 = 48 << 10;

/// How much memory of its own the largest of its gits may take; what it has mapped of files is the system's to keep.
const MOST_OF_GIT_KIB: u64 = 192 << 10;

/// A number of `/proc/PID/status`, in KiB where it is a size; nothing, when the process is gone.
fn number(pid: u32, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim_matches([':', ' ', '\t', 'k', 'B']).parse().ok()
}

fn status(server: &TestServer, name: &str) -> u64 {
    number(server.pid().expect("it runs"), name).expect("there is such a line")
}

/// The processes below this one.
fn descendants(of: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").expect("there is a /proc").flatten();
    let all: Vec<u32> = all.filter_map(|process| process.file_name().to_str()?.parse().ok()).collect();
    let mut found = vec![of];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(all.iter().filter(|&&child| number(child, "PPid") == Some(u64::from(parent))));
        next += 1;
    }
    found.split_off(1)
}

/// Looks at the gits of the server until it is told to stop, and answers how many it saw and how much memory of its own
/// the largest had.
async fn watch(server: u32, stop: Arc<AtomicBool>) -> (usize, u64) {
    let (mut seen, mut most) = (BTreeSet::new(), 0);
    while !stop.load(Ordering::Relaxed) {
        for git in descendants(server) {
            if let Some(size) = number(git, "RssAnon") {
                seen.insert(git);
                most = most.max(size);
            }
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    (seen.len(), most)
}

fn rate(took: Duration) -> String {
    let mib = f64::from(u32::try_from(FILES).unwrap_or(0)) * 25.0;
    format!("{:.1} s, {:.0} MiB/s", took.as_secs_f64(), mib / took.as_secs_f64())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_megabytes_pass_through_a_server_that_stays_small() {
    let house =
        House::build(Engine::Sqlite, &Options { ships: Ships::Unclaimed, ..Options::default() }).await;
    let folder = house.data.folder();
    git_ok(&folder, &["clone", "-q", &house.clone_url(), "work"]).await;
    let work = folder.join("work");
    for (key, value) in
        [("user.name", "P"), ("user.email", "p@p.example"), ("core.compression", "0"), ("pack.window", "0")]
    {
        git_ok(&work, &["config", key, value]).await;
    }
    for n in 0..FILES {
        std::fs::write(work.join(format!("noise-{n}")), noise(n + 1, BYTES)).expect("the disk has room");
    }
    git_ok(&work, &["add", "-A"]).await;
    git_ok(&work, &["commit", "-q", "-m", "Much"]).await;
    // The largest so far is forgotten (proc_pid_clear_refs(5)): setting up hashed passwords in 19 MiB each.
    let pid = house.server.pid().expect("it runs");
    std::fs::write(format!("/proc/{pid}/clear_refs"), "5").expect("the mark can be reset");
    let before = status(&house.server, "VmRSS");
    let url = house.clone_url();
    let stop = Arc::<AtomicBool>::default();
    let watching = tokio::spawn(watch(pid, Arc::clone(&stop)));
    let (_, pushed) = timed(git_ok(&work, &["push", "-q", &url, "HEAD:main"])).await;
    let after_push = status(&house.server, "VmHWM");
    let (_, cloned) = timed(git_ok(&folder, &["clone", "-q", "--bare", &url, "copy"])).await;
    let after_clone = status(&house.server, "VmHWM");
    stop.store(true, Ordering::Relaxed);
    let (gits, most_of_git) = watching.await.expect("it ends");
    let (here, there) = (
        git_ok(&work, &["rev-parse", "HEAD"]).await,
        git_ok(&folder.join("copy"), &["rev-parse", "main"]).await,
    );
    assert_eq!(here, there);
    println!(
        "proof: 100 MiB through the program that ships: push {}, clone {}; resident {before} KiB before, at most {after_push} KiB after the push, {after_clone} KiB after the clone, and {most_of_git} KiB of the largest of its gits",
        rate(pushed),
        rate(cloned)
    );
    assert!(after_clone < before + MOST_KIB, "the server grew from {before} to {after_clone} KiB");
    assert!(gits > 1 && most_of_git > 0, "no git was seen");
    assert!(most_of_git < MOST_OF_GIT_KIB, "a git grew to {most_of_git} KiB");
}
