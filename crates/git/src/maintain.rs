//! Keeping markers few and cheap: packed into one file, and dropped once they witness nothing.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ProposalId;
use countersign_core::time::Timestamp;

use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::lock::RepoLock;
use crate::process::Limits;
use crate::refs::{MARKERS, RefName};
use crate::repo::{Repo, from_gix, to_gix};
use crate::transaction::{RefEdit, RefOutcome, RefTransaction};

/// How long a marker stays after its commit landed.
pub const MARKER_LIFE: Duration = Duration::from_hours(7 * 24);
/// How many markers one run looks at.
const MOST_MARKERS: usize = 10_000;
/// How many are removed in one transaction.
const BATCH: usize = 500;
/// From how many loose markers on they are packed: each costs every reader of refs a file.
const LOOSE: usize = 16;

/// What one run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Maintained {
    /// Markers that were dropped.
    pub dropped: usize,
    /// Whether markers were packed.
    pub packed: bool,
}

impl GitHost {
    /// Drops markers whose commit is older than [`MARKER_LIFE`] and in the history of a branch,
    /// and packs the others. Any hold on the repository will do: git compares as it does both.
    ///
    /// Safe to stop anywhere and to run again. An executed proposal needs no marker: its commit
    /// is in its row and in the branch.
    pub async fn maintain(
        &self,
        lock: &RepoLock,
        refs: &dyn RefTransaction,
        now: Timestamp,
    ) -> Result<Maintained> {
        let mut done = Maintained::default();
        let old = self.with(lock.repository(), move |repo| old_markers(repo, now)).await?;
        for batch in old.chunks(BATCH) {
            match refs.commit(lock, batch).await? {
                RefOutcome::Done => done.dropped += batch.len(),
                // A marker was moved or is being moved: the next run looks again.
                RefOutcome::Conflict | RefOutcome::Locked => {}
            }
        }
        let folder = self.path(lock.repository()).join(MARKERS);
        if blocking(move || Ok(count_entries(&folder))).await? >= LOOSE {
            let command = self.write_command(lock, "pack-refs")?.args(["--include", &format!("{MARKERS}*")]);
            command.succeed(Vec::new(), Limits::LONG).await?;
            done.packed = true;
        }
        Ok(done)
    }
}

fn old_markers(repo: &Repo, now: Timestamp) -> Result<Vec<RefEdit>> {
    let mut old: HashMap<Oid, Vec<RefEdit>> = HashMap::new();
    let refs = repo.gix.references().map_err(GitError::engine("list refs"))?;
    for marker in refs.prefixed(MARKERS).map_err(GitError::engine("list markers"))?.take(MOST_MARKERS) {
        let marker = marker.map_err(GitError::engine("read a marker"))?;
        let name = marker.name().as_bstr().to_string();
        let Some(proposal) = name.strip_prefix(MARKERS).and_then(|id| ProposalId::parse(id).ok()) else {
            continue;
        };
        let Some(id) = marker.try_id() else { continue };
        let commit = repo.gix.find_commit(id).map_err(GitError::engine("read a marked commit"))?;
        let at = commit.committer().ok().and_then(|committer| committer.time().ok());
        let age = at.map_or(0, |at| now.seconds().saturating_sub(at.seconds));
        if u64::try_from(age).is_ok_and(|age| age > MARKER_LIFE.as_secs()) {
            let commit = from_gix(&id)?;
            old.entry(commit)
                .or_default()
                .push(RefEdit::Delete { name: RefName::Marker(proposal), old: commit });
        }
    }
    let landed = landed(repo, old.keys().copied().collect())?;
    Ok(landed.into_iter().filter_map(|commit| old.remove(&commit)).flatten().collect())
}

/// Those of `wanted` that are in the history of some branch, found in one walk.
fn landed(repo: &Repo, mut wanted: HashSet<Oid>) -> Result<Vec<Oid>> {
    let mut found = Vec::new();
    if wanted.is_empty() {
        return Ok(found);
    }
    let tips: HashSet<Oid> = repo.branches()?.items.into_iter().map(|branch| branch.tip).collect();
    let walk = repo
        .gix
        .rev_walk(tips.into_iter().map(to_gix))
        .all()
        .map_err(GitError::engine("walk the history"))?;
    for commit in walk.take(crate::refs::MOST_COMMITS) {
        let commit = from_gix(&commit.map_err(GitError::engine("walk the history"))?.id)?;
        if wanted.remove(&commit) {
            found.push(commit);
        }
        if wanted.is_empty() {
            break;
        }
    }
    Ok(found)
}

fn count_entries(folder: &std::path::Path) -> usize {
    std::fs::read_dir(folder).map_or(0, |list| list.take(LOOSE).count())
}
