//! Walking the history newest first, each commit once, as far as the one who walks asks for parents.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::rc::Rc;

use countersign_core::gitnest::oid::Oid;

use crate::error::{GitError, Result};
use crate::repo::{Repo, from_gix};

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
    points: HashMap<Oid, Option<Rc<Point>>>,
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

    /// Reads a commit, once; `None` where it has more bytes than are read.
    pub(crate) fn point(&mut self, oid: Oid) -> Result<Option<Rc<Point>>> {
        if let Some(known) = self.points.get(&oid) {
            return Ok(known.clone());
        }
        let point = match self.repo.small_commit(oid) {
            Ok(commit) => Some(Rc::new(point_of(&commit)?)),
            Err(GitError::TooMuch { .. }) => None,
            Err(error) => return Err(error),
        };
        self.points.insert(oid, point.clone());
        Ok(point)
    }

    /// Puts a commit in the queue, unless it was there before. One that cannot be read goes last.
    pub(crate) fn push(&mut self, oid: Oid) -> Result<()> {
        if self.known.insert(oid) {
            let time = self.point(oid)?.map_or(i64::MIN, |point| point.time);
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

fn point_of(commit: &gix::Commit<'_>) -> Result<Point> {
    let wrong = "read a commit";
    Ok(Point {
        tree: from_gix(&commit.tree_id().map_err(GitError::engine(wrong))?)?,
        parents: commit.parent_ids().map(|id| from_gix(&id)).collect::<Result<_>>()?,
        time: commit.time().map_err(GitError::engine(wrong))?.seconds,
    })
}
