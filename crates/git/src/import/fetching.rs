//! A fetch under way: what git says of it becomes progress, and what grows too large is ended.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::Bounds;
use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::process::GitCommand;

/// How often the size on disk is looked at.
const LOOK: Duration = Duration::from_millis(500);
/// How much of a line of git's is read.
const LINE: usize = 1 << 10;
/// How many lines that are no progress are kept, to say why it failed.
const KEPT: usize = 20;

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Objects are coming.
    Receiving {
        /// Of all objects, in percent.
        percent: u8,
        /// Bytes on disk.
        bytes: u64,
    },
    /// Objects are put together.
    Resolving {
        /// Of all, in percent.
        percent: u8,
    },
    /// Everything is there and is being checked.
    Checking,
}

/// Runs a fetch of every branch and tag to its end.
pub(super) async fn run(
    fetch: GitCommand<'_>,
    (address, quarantine): (&str, &Path),
    bounds: Bounds,
    tell: &(impl Fn(Progress) + Sync),
) -> Result<()> {
    let mut running = fetch
        .args([
            "--progress",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
            "--",
        ])
        .args([address, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"])
        .start()?;
    let (input, output, errors) = running.take_streams();
    drop((input, output));
    let mut said = Said::default();
    let objects = quarantine.join("objects");
    let listen = async {
        let Some(errors) = errors else { return Ok(()) };
        listen(errors, &mut said, &objects, tell).await
    };
    tokio::select! {
        heard = listen => heard?,
        large = grown(&objects, bounds.size) => return Err(large?),
    }
    let status = running.wait().await.map_err(GitError::disk("wait for", "git"))?;
    if status.success() {
        // It may have come between two looks.
        return if size(objects).await? > bounds.size { Err(too_large(bounds.size)) } else { Ok(()) };
    }
    Err(super::refused(GitError::process("fetch", said.lines.join("\n"))))
}

/// Ready when the folder holds more than it may.
async fn grown(objects: &Path, most: u64) -> Result<GitError> {
    loop {
        tokio::time::sleep(LOOK).await;
        if size(objects.to_owned()).await? > most {
            return Ok(too_large(most));
        }
    }
}

fn too_large(most: u64) -> GitError {
    GitError::Import(format!("it is larger than {} MiB, which is as much as is taken", most >> 20))
}

/// The bytes of the files below a folder; those that vanish meanwhile count nothing.
async fn size(folder: PathBuf) -> Result<u64> {
    blocking(move || {
        let (mut folders, mut size) = (vec![folder], 0);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                match entry.metadata() {
                    Ok(metadata) if metadata.is_dir() => folders.push(entry.path()),
                    Ok(metadata) => size += metadata.len(),
                    Err(_) => {}
                }
            }
        }
        Ok(size)
    })
    .await
}

/// What git said that is no progress.
#[derive(Debug, Default)]
struct Said {
    lines: Vec<String>,
}

/// Reads lines that end in a line break or in a carriage return, until git has said everything.
async fn listen(
    mut errors: impl AsyncRead + Unpin,
    said: &mut Said,
    objects: &Path,
    tell: &(impl Fn(Progress) + Sync),
) -> Result<()> {
    let (mut line, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let read = errors.read(&mut chunk).await.map_err(GitError::disk("listen to", "git"))?;
        if read == 0 {
            return Ok(());
        }
        for byte in &chunk[..read] {
            if !matches!(byte, b'\n' | b'\r') {
                if line.len() < LINE {
                    line.push(*byte);
                }
                continue;
            }
            let text = String::from_utf8_lossy(&line).into_owned();
            line.clear();
            match progress(&text) {
                Some(Progress::Receiving { percent, .. }) => {
                    tell(Progress::Receiving { percent, bytes: size(objects.to_owned()).await? });
                }
                Some(progress) => tell(progress),
                // What the other side says may name anything.
                None if text.starts_with("remote: ") || text.is_empty() || said.lines.len() == KEPT => {}
                None => said.lines.push(text),
            }
        }
    }
}

/// `Receiving objects:  45% (123/456), 1.20 MiB | 2.00 MiB/s`
fn progress(line: &str) -> Option<Progress> {
    let (what, rest) = line.split_once(": ")?;
    let percent = rest.trim_start().split_once('%')?.0.parse().ok()?;
    match what {
        "Receiving objects" => Some(Progress::Receiving { percent, bytes: 0 }),
        "Resolving deltas" => Some(Progress::Resolving { percent }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_says_of_its_way_is_read() {
        let read = progress("Receiving objects:  45% (123/456), 1.20 MiB | 2.00 MiB/s");
        assert_eq!(read, Some(Progress::Receiving { percent: 45, bytes: 0 }));
        assert_eq!(
            progress("Resolving deltas: 100% (9/9), done."),
            Some(Progress::Resolving { percent: 100 })
        );
        for other in
            ["remote: Counting objects: 5% (1/20)", "fatal: nothing", "Receiving objects: 999% x", ""]
        {
            assert_eq!(progress(other), None, "{other}");
        }
    }
}
