//! Walking the history newest first, each commit once, as far as the one who walks asks for parents.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::rc::Rc;

use countersign_core::gitnest::oid::Oid;

use crate::error::{GitError, Result};
use crate::repo::{Repo, from_gix, to_gix};

/// How many bytes of decoded objects a walk keeps: neighbouring commits share most of their trees.
const CACHE: usize = 16 << 20;

/// What a walk needs of a commit.
#[derive(Debug)]
pub(crate) struct Point {
    pub(crate) tree: Oid,
    pub(crate) parents: Vec<Oid>,
    pub(crate) time: i64,
}

/// A walk under way.
pub(crate) struct Walk {
    pub(crate) repo: Repo,
    points: HashMap<Oid, Rc<Point>>,
    queue: BinaryHeap<(i64, Reverse<usize>, Oid)>,
    known: HashSet<Oid>,
}

impl Walk {
    /// A walk that is nowhere yet.
    pub(crate) fn of(repo: &Repo) -> Self {
        let mut gix = repo.gix.clone();
        gix.object_cache_size_if_unset(CACHE);
        let repo = Repo { id: repo.id, path: repo.path.clone(), gix };
        Self { repo, points: HashMap::new(), queue: BinaryHeap::new(), known: HashSet::new() }
    }

    /// Reads a commit, once.
    pub(crate) fn point(&mut self, oid: Oid) -> Result<Rc<Point>> {
        if let Some(known) = self.points.get(&oid) {
            return Ok(Rc::clone(known));
        }
        let wrong = "read a commit";
        let commit = self.repo.gix.find_commit(to_gix(oid)).map_err(GitError::engine(wrong))?;
        let tree = commit.tree_id().map_err(GitError::engine(wrong))?;
        let point = Rc::new(Point {
            tree: from_gix(&tree)?,
            parents: commit.parent_ids().map(|id| from_gix(&id)).collect::<Result<_>>()?,
            time: commit.time().map_err(GitError::engine(wrong))?.seconds,
        });
        self.points.insert(oid, Rc::clone(&point));
        Ok(point)
    }

    /// Puts a commit in the queue, unless it was there before.
    pub(crate) fn push(&mut self, oid: Oid) -> Result<()> {
        if self.known.insert(oid) {
            let time = self.point(oid)?.time;
            // Of two with the same time, the one that came first goes first.
            self.queue.push((time, Reverse(self.known.len()), oid));
        }
        Ok(())
    }

    /// The newest commit in the queue.
    pub(crate) fn pop(&mut self) -> Option<Oid> {
        self.queue.pop().map(|(_, _, oid)| oid)
    }

    /// Forgets where it was, and keeps what it read.
    pub(crate) fn restart(&mut self) {
        self.queue.clear();
        self.known.clear();
    }

    /// Whether any commit in the queue holds.
    pub(crate) fn waits(&self, holds: impl Fn(Oid) -> bool) -> bool {
        self.queue.iter().any(|(_, _, oid)| holds(*oid))
    }
}
