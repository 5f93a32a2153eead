//! Which markers witness nothing any more.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ProposalId;
use countersign_core::time::Timestamp;

use crate::error::{GitError, Result};
use crate::refs::{MARKERS, RefName};
use crate::repo::{Repo, from_gix, to_gix};
use crate::transaction::RefEdit;

/// How long a marker stays after its commit landed.
pub const MARKER_LIFE: Duration = Duration::from_hours(7 * 24);
/// How many markers one run looks at.
const MOST_MARKERS: usize = 10_000;

/// The removals of markers whose commit is older than [`MARKER_LIFE`] and in the history of a branch.
pub(super) fn old_markers(repo: &Repo, now: Timestamp) -> Result<Vec<RefEdit>> {
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
