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

/// How many files, and how large each.
const FILES: u64 = 4;
const BYTES: usize = 25_000_000;
const MEGABYTES: f64 = 100.0;

#[derive(Default)]
struct Rounds {
    clone: Vec<f64>,
    push: Vec<f64>,
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
    let (mut ours, mut baseline) = (Rounds::default(), Rounds::default());
    for round in 0..=ROUNDS {
        // A server that has an object already has nothing to write.
        let work = fill(folder.path(), round)?;
        for (rounds, url) in [(&mut ours, &mine), (&mut baseline, &theirs)] {
            let push = rate(&work, &["push", "-q", url, "HEAD:refs/heads/much"])?;
            let copy = folder.path().join("copy");
            let clone = rate(
                &work,
                &["clone", "-q", "--bare", "--single-branch", "-b", "much", url, &copy.to_string_lossy()],
            )?;
            std::fs::remove_dir_all(&copy).map_err(Failure::while_doing("remove a clone"))?;
            git(&work, &["push", "-q", url, ":refs/heads/much"])?;
            if round > 0 {
                rounds.clone.push(clone);
                rounds.push.push(push);
            }
        }
        std::fs::remove_dir_all(&work).map_err(Failure::while_doing("remove what was pushed"))?;
    }
    server.stop()?;
    let row = |name: &str, ours: Vec<f64>, baseline: Vec<f64>| Row {
        name: name.to_owned(),
        unit: "MB/s",
        ours,
        baseline,
        budget: Budget::Rate(0.9),
        conditions:
            "git's own client over loopback, bytes that do not compress; baseline git http-backend behind \
                     nginx (fcgiwrap, no buffering), without checks and with git's own durability"
                .to_owned(),
    };
    Ok(vec![
        row("clone of 100 MB", ours.clone, baseline.clone),
        row("push of 100 MB", ours.push, baseline.push),
    ])
}

/// A work tree with one commit of 100 MB, which are others in each round.
fn fill(folder: &Path, round: usize) -> Result<PathBuf, Failure> {
    let work = folder.join("work");
    git(folder, &["init", "-q", "-b", "main", "work"])?;
    for (key, value) in
        [("user.name", "P"), ("user.email", "p@p.example"), ("core.compression", "0"), ("pack.window", "0")]
    {
        git(&work, &["config", key, value])?;
    }
    for n in 0..FILES {
        let written =
            std::fs::write(work.join(format!("noise-{n}")), noise(round as u64 * FILES + n + 1, BYTES));
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
