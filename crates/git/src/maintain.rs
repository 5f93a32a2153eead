//! Looking after a repository: refs and objects packed, old markers dropped, what nothing reaches thrown away.

mod due;
mod marker;

use std::time::Duration;

use countersign_core::time::Timestamp;

pub use due::{Due, Left};
pub use marker::MARKER_LIFE;

use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::lock::{Hold, RepoLock};
use crate::process::Limits;
use crate::repo::sync_file_system;
use crate::transaction::{RefOutcome, RefTransaction};

/// How many markers are removed in one transaction.
const BATCH: usize = 500;

/// For how long an object that nothing reaches is kept: a clone that began before a branch was forced back still
/// wants it, and a person may want their commit back.
pub const KEPT: Duration = Duration::from_hours(14 * 24);

/// What one run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Maintained {
    /// Markers that were dropped.
    pub dropped: usize,
    /// The parts that were done.
    pub done: Due,
}

impl GitHost {
    /// Sweeps what was left behind, drops markers whose commit is older than [`MARKER_LIFE`] and in the history of a
    /// branch, and does what is `due`. Objects that nothing reaches are thrown away once they are older than `kept`.
    ///
    /// Only under the exclusive lock: no approval and no push is on its way then, so that no object that one of
    /// them has looked at and means to name is thrown away, and nobody's git holds an old packed-refs for the
    /// present one (docs/decisions/02-git-engine.md). Readers take no lock: git and gix look again when a pack
    /// is gone. Safe to stop anywhere and to run again.
    pub async fn maintain(
        &self,
        lock: &RepoLock,
        refs: &dyn RefTransaction,
        (due, kept): (Due, Duration),
        now: Timestamp,
    ) -> Result<Maintained> {
        if lock.hold() != Hold::Exclusive {
            return Err(GitError::Busy(lock.repository()));
        }
        if due.left == Left::Something {
            self.sweep(lock).await?;
        }
        let dropped = self.drop_markers(lock, refs, now).await?;
        if due.refs {
            self.tend(lock, "pack-refs", &["--all", "--prune"]).await?;
        }
        if due.prune {
            self.prune(lock, kept, now).await?;
        } else if due.objects {
            self.tend(lock, "repack", &["-d", "-l", "--quiet", "--geometric=2"]).await?;
        }
        if due.objects || due.prune {
            self.tend(lock, "commit-graph", &["write", "--reachable", "--no-progress"]).await?;
        }
        if due.any() {
            let path = self.path(lock.repository());
            blocking(move || sync_file_system(&path)).await?;
        }
        Ok(Maintained { dropped, done: due })
    }

    /// An executed proposal needs no marker: its commit is in its row and in the branch.
    async fn drop_markers(
        &self,
        lock: &RepoLock,
        refs: &dyn RefTransaction,
        now: Timestamp,
    ) -> Result<usize> {
        let old = self.with(lock.repository(), move |repo| marker::old_markers(repo, now)).await?;
        let mut dropped = 0;
        for batch in old.chunks(BATCH) {
            match refs.commit(lock, batch).await? {
                RefOutcome::Done => dropped += batch.len(),
                // A marker was moved or is being moved: the next run looks again.
                RefOutcome::Conflict | RefOutcome::Locked => {}
            }
        }
        Ok(dropped)
    }

    /// All that is reached goes into one pack, what is not into another one that remembers the age of each object;
    /// what is older than `kept` is gone.
    async fn prune(&self, lock: &RepoLock, kept: Duration, now: Timestamp) -> Result<()> {
        let path = self.path(lock.repository());
        // It names commits that are about to go; it is written anew afterwards.
        blocking({
            let graph = path.join("objects/info/commit-graph");
            move || match std::fs::remove_file(&graph) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(GitError::disk("remove", graph)(e)),
                Ok(()) | Err(_) => Ok(()),
            }
        })
        .await?;
        let age = if kept.is_zero() { "now".to_owned() } else { format!("{}.seconds.ago", kept.as_secs()) };
        let expire = format!("--cruft-expiration={age}");
        self.tend(lock, "repack", &["-d", "-l", "--quiet", "--cruft", &expire]).await?;
        self.tend(lock, "prune", &[&format!("--expire={age}")]).await?;
        blocking(move || due::note_pruned(&path, now)).await
    }

    async fn tend(&self, lock: &RepoLock, name: &'static str, args: &[&str]) -> Result<()> {
        let command = self.write_command(lock, name)?.args(args.iter().copied());
        command.succeed(Vec::new(), Limits::TENDING).await.map(drop)
    }
}
