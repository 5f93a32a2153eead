//! Clone and push of 100 MB by git itself, against `git http-backend` behind nginx.

use std::path::{Path, PathBuf};

use countersign_app::testing::noise::noise;
use tokio::runtime::Runtime;

use super::Row;
use crate::ROUNDS;
use crate::baseline::nginx::Nginx;
use crate::budget::Budget;
use crate::clock::timed;
use crate::failure::Failure;
use crate::house::Ours;
use crate::process::command;
use crate::statistic::median;

/// How many files, and how large each.
const FILES: u64 = 4;
const BYTES: usize = 25_000_000;
const MEGABYTES: f64 = 100.0;
/// How often each clones and pushes in a round; the round's figure is the median.
const TRIES: u64 = 3;

/// Megabytes a second.
#[derive(Default)]
struct Rates {
    clone: Vec<f64>,
    push: Vec<f64>,
}

impl Rates {
    fn collect(&mut self, tries: &Self) {
        self.clone.push(median(&tries.clone));
        self.push.push(median(&tries.push));
    }

    /// Pushes what lies in `work` to a branch of its own, clones it back, and takes the branch away.
    fn there_and_back(&mut self, work: &Path, url: &str) -> Result<(), Failure> {
        self.push.push(rate(work, &["push", "-q", url, "HEAD:refs/heads/much"])?);
        let copy = work.with_file_name("copy");
        let clone = ["clone", "-q", "--bare", "--single-branch", "-b", "much", url, &copy.to_string_lossy()];
        self.clone.push(rate(work, &clone)?);
        std::fs::remove_dir_all(&copy).map_err(Failure::while_doing("remove a clone"))?;
        git(work, &["push", "-q", url, ":refs/heads/much"])
    }
}

pub(crate) fn rows(runtime: &Runtime) -> Result<Vec<Row>, Failure> {
    let house = Ours::set_up(runtime)?;
    let server = house.start(runtime)?;
    let folder = tempfile::tempdir().map_err(Failure::while_doing("make a folder"))?;
    let bare = folder.path().join("theirs.git");
    git(folder.path(), &["init", "-q", "--bare", "-b", "main", "theirs.git"])?;
    git(&bare, &["config", "http.receivepack", "true"])?;
    let nginx = Nginx::start(runtime, folder.path())?;
    let (mine, theirs) = (house.clone_url(), nginx.url("theirs.git"));
    let (mut ours, mut baseline) = (Rates::default(), Rates::default());
    // The first round warms both up, and is not counted.
    for round in 0..=ROUNDS as u64 {
        let (mut our_tries, mut their_tries) = (Rates::default(), Rates::default());
        for number in 0..TRIES {
            // A server that has an object already has nothing to write.
            let work = fill(folder.path(), round * TRIES + number)?;
            our_tries.there_and_back(&work, &mine)?;
            their_tries.there_and_back(&work, &theirs)?;
            std::fs::remove_dir_all(&work).map_err(Failure::while_doing("remove what was pushed"))?;
        }
        if round > 0 {
            ours.collect(&our_tries);
            baseline.collect(&their_tries);
        }
    }
    server.stop()?;
    let row = |name: &str, ours: Vec<f64>, baseline: Vec<f64>| Row {
        name: name.to_owned(),
        unit: "MB/s",
        ours,
        baseline,
        budget: Budget::Rate(0.9),
        conditions: format!(
            "git's own client over loopback, bytes that do not compress; each round the median of {TRIES}; baseline \
             git http-backend behind nginx (fcgiwrap, no buffering), without checks and with git's own durability"
        ),
    };
    Ok(vec![
        row("clone of 100 MB", ours.clone, baseline.clone),
        row("push of 100 MB", ours.push, baseline.push),
    ])
}

/// A work tree with one commit of 100 MB, which are others for each number.
fn fill(folder: &Path, number: u64) -> Result<PathBuf, Failure> {
    let work = folder.join("work");
    git(folder, &["init", "-q", "-b", "main", "work"])?;
    for (key, value) in
        [("user.name", "P"), ("user.email", "p@p.example"), ("core.compression", "0"), ("pack.window", "0")]
    {
        git(&work, &["config", key, value])?;
    }
    for n in 0..FILES {
        let written = std::fs::write(work.join(format!("noise-{n}")), noise(number * FILES + n + 1, BYTES));
        written.map_err(Failure::while_doing("write 100 MB"))?;
    }
    git(&work, &["add", "-A"])?;
    git(&work, &["commit", "-q", "-m", "Much"])?;
    git(&work, &["repack", "-q", "-a", "-d"])?;
    Ok(work)
}

/// Megabytes a second of one command.
fn rate(folder: &Path, arguments: &[&str]) -> Result<f64, Failure> {
    let (milliseconds, done) = timed(|| git(folder, arguments));
    done.map(|()| MEGABYTES / (milliseconds / 1e3))
}

fn git(folder: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let output = command(Path::new("git"))
        .args(arguments)
        .current_dir(folder)
        .envs([
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_TERMINAL_PROMPT", "0"),
        ])
        .output()
        .map_err(Failure::while_doing("start git"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr))))
}
