//! Looking after a repository: refs and objects packed, old markers dropped, what nothing reaches thrown away.

mod due;
mod marker;

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use countersign_core::time::Timestamp;

pub use due::{Due, Left};
pub use marker::MARKER_LIFE;

use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::lock::{Hold, ObjectsLock, RepoLock};
use crate::net;
use crate::process::Limits;
use crate::repo::sync_file_system;
use crate::transaction::{RefOutcome, RefTransaction};

/// How many markers are removed in one transaction.
const BATCH: usize = 500;

/// For how long an object that nothing reaches is kept: a clone that began before a branch was forced back still
/// wants it, and a person may want their commit back.
pub const KEPT: Duration = Duration::from_hours(14 * 24);

/// By how much the clock of a file system may be behind: one tick of the kernel, and some.
const COARSE: Duration = Duration::from_millis(20);

/// The refs of a repository, and its objects where nobody pushes.
type Locks<'a> = (&'a RepoLock, Option<&'a ObjectsLock>);

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
    /// Only under the exclusive lock of the refs: no approval is on its way then, no push moves refs, and nobody's git
    /// holds an old packed-refs for the present one (docs/decisions/02-git-engine.md). Without the objects, which a push
    /// holds from its beginning, nothing is pruned: a push names what it saw there. Readers take no lock: git and gix
    /// look again when a pack is gone. Safe to stop anywhere and to run again.
    pub async fn maintain(
        &self,
        locks @ (lock, objects): Locks<'_>,
        refs: &dyn RefTransaction,
        (due, kept): (Due, Duration),
        now: Timestamp,
    ) -> Result<Maintained> {
        let is_other = |objects: &ObjectsLock| objects.repository() != lock.repository();
        if lock.hold() != Hold::Exclusive || objects.is_some_and(is_other) {
            return Err(GitError::Busy(lock.repository()));
        }
        let mut due = if objects.is_some() { due } else { due.beside_pushes() };
        if let Some(objects) = objects.filter(|_| due.quarantines == Left::Something) {
            self.sweep_quarantines(objects).await?;
        }
        if due.left == Left::Something {
            self.sweep(lock).await?;
        }
        let dropped = self.drop_markers(lock, refs, now).await?;
        let path = self.path(lock.repository());
        due.refs = due.refs && !was_packed_just_now(&path.join("packed-refs"))?;
        if due.refs {
            self.pack_refs(locks).await?;
        }
        if due.objects || due.prune {
            let under = path.clone();
            blocking(move || net::spread(&under)).await?;
            if due.prune {
                self.prune(locks, kept, now).await?;
            } else {
                self.tend(locks, "repack", &["-d", "-l", "--quiet", "--geometric=2"]).await?;
            }
            self.tend(locks, "commit-graph", &["write", "--reachable", "--no-progress"]).await?;
            blocking(move || net::take_away(&path)).await?;
        }
        Ok(Maintained { dropped, done: due })
    }

    /// Into one file, and once that is on the disk, out of theirs: git syncs no folder between the two.
    async fn pack_refs(&self, locks: Locks<'_>) -> Result<()> {
        let path = self.path(locks.0.repository());
        self.tend(locks, "pack-refs", &["--all", "--no-prune"]).await?;
        blocking(move || sync_file_system(&path)).await?;
        self.tend(locks, "pack-refs", &["--all", "--prune"]).await
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
    async fn prune(&self, locks: Locks<'_>, kept: Duration, now: Timestamp) -> Result<()> {
        let path = self.path(locks.0.repository());
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
        self.tend(locks, "repack", &["-d", "-l", "--quiet", "--cruft", &expire]).await?;
        self.tend(locks, "prune", &[&format!("--expire={age}")]).await?;
        blocking(move || due::note_pruned(&path, now)).await
    }

    /// A git that is left by a killed server holds what that server held.
    async fn tend(&self, (lock, objects): Locks<'_>, name: &'static str, args: &[&str]) -> Result<()> {
        let mut command = self.write_command(lock, name)?.args(args.iter().copied());
        if let Some(objects) = objects {
            command = command.holding(objects.share()?);
        }
        command.succeed(Vec::new(), Limits::TENDING).await.map(drop)
    }
}

/// Whether packed-refs was written in the second that it is now, as the clock of the file system has it.
///
/// git takes a packed-refs of the same inode, size and second for the one that it has read, and the git of a push may
/// have read it before it waited for the refs. Refs that are packed in a later second are never taken so.
fn was_packed_just_now(packed: &Path) -> Result<bool> {
    let written = match std::fs::metadata(packed) {
        Ok(found) => found.mtime(),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(e) => return Err(GitError::disk("read", packed)(e)),
    };
    let second = UNIX_EPOCH + Duration::from_secs(u64::try_from(written).unwrap_or(0));
    Ok(!second.elapsed().is_ok_and(|since| since >= Duration::from_secs(1) + COARSE))
}
