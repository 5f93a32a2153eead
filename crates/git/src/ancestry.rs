//! Which commits lead to which: parents, ancestors, and whether any of some tips leads to a commit.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::oid::Oid;

use crate::bounded::MOST_COMMIT;
use crate::error::{GitError, Result};
use crate::refs::MOST_COMMITS;
use crate::repo::{Repo, from_gix, to_gix};

impl Repo {
    /// The first parent of a commit; a repository's first commit has none.
    pub fn first_parent(&self, commit: Oid) -> Result<Option<Oid>> {
        self.small_commit(commit)?.parent_ids().next().map(|id| from_gix(&id)).transpose()
    }

    /// Whether `old` is `new` or in its history. Unknown commits are in nobody's history.
    pub fn is_ancestor(&self, old: Oid, new: Oid) -> Result<bool> {
        if old == new {
            return Ok(true);
        }
        if !self.gix.has_object(to_gix(old)) {
            return Ok(false);
        }
        self.reaches(&[new], old, &AtomicBool::new(false))
    }

    /// Whether the history of any of `tips` holds `wanted`, newest commits first; until `stop` is raised. What lies
    /// behind a commit too large to be read is not found.
    pub(crate) fn reaches(&self, tips: &[Oid], wanted: Oid, stop: &AtomicBool) -> Result<bool> {
        let wrong = "walk the history";
        let unique: HashSet<Oid> = tips.iter().copied().collect();
        if unique.contains(&wanted) {
            return Ok(true);
        }
        let order = gix::traverse::commit::simple::CommitTimeOrder::NewestFirst;
        let walk = self
            .gix
            .rev_walk(unique.into_iter().map(to_gix))
            .sorting(gix::revision::walk::Sorting::ByCommitTime(order))
            .selected(self.readable()?)
            .map_err(GitError::engine(wrong))?;
        let wanted = to_gix(wanted);
        for (count, commit) in walk.enumerate() {
            if count == MOST_COMMITS || stop.load(Ordering::Relaxed) {
                return Err(GitError::TooFar);
            }
            if commit.map_err(GitError::engine(wrong))?.id == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells which commits a walk may read. It is asked before each is read; those in the commit graph are not read.
    pub(crate) fn readable(&self) -> Result<impl FnMut(&gix::oid) -> bool + '_> {
        let graph = self.gix.commit_graph_if_enabled().map_err(GitError::engine("read the commit graph"))?;
        Ok(move |id: &gix::oid| {
            graph.as_ref().is_some_and(|graph| graph.lookup(id).is_some())
                || self.gix.find_header(id).map_or(true, |header| header.size() <= MOST_COMMIT)
        })
    }
}
