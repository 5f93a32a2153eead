//! The commits that a tip leads to, all of them or those that changed one path; a page at a time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;

use crate::error::Result;
use crate::history::CommitInfo;
use crate::repo::Repo;
use crate::tree::{Node, Page};
use crate::walk::Walk;

/// How many commits are looked at for one page.
const MOST_SEEN: usize = 50_000;

/// A page of a history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The latest first.
    pub items: Vec<CommitInfo>,
    /// Whether there are more.
    pub more: bool,
    /// Whether the walk was stopped before it knew, or met a commit too large to be read.
    pub cut: bool,
}

impl Repo {
    /// The commits that led to what stands at `path` in `tip`, as `git log -- PATH` lists them; of the root, every
    /// commit. A merge is passed over where one of its parents had the same; renames are not followed.
    pub fn log(&self, tip: Oid, path: &TreePath, page: Page, stop: &AtomicBool) -> Result<Log> {
        let mut run = Run { walk: Walk::of(self), path, at: HashMap::new() };
        run.walk.push(tip)?;
        let (mut log, mut found) = (Log::default(), 0);
        let mut seen = 0;
        while let Some(commit) = run.walk.pop() {
            seen += 1;
            if seen > MOST_SEEN || stop.load(Ordering::Relaxed) {
                log.cut = true;
                break;
            }
            match run.pass(commit)? {
                Some(true) => {}
                Some(false) => continue,
                None => {
                    log.cut = true;
                    continue;
                }
            }
            if log.items.len() == page.limit {
                log.more = true;
                break;
            }
            if found >= page.offset {
                log.items.extend(self.commit_line(commit)?);
            }
            found += 1;
        }
        Ok(log)
    }
}

struct Run<'p> {
    walk: Walk,
    path: &'p TreePath,
    /// What stands at the path, by the root's object.
    at: HashMap<Oid, Option<Node>>,
}

impl Run<'_> {
    /// Goes on from a commit; whether it is one of those that changed the path. `None` where it is not read.
    fn pass(&mut self, commit: Oid) -> Result<Option<bool>> {
        let Some(point) = self.walk.point(commit)? else { return Ok(None) };
        if self.path.is_root() {
            for parent in &point.parents {
                self.walk.push(*parent)?;
            }
            return Ok(Some(true));
        }
        let here = self.at(point.tree)?;
        for parent in &point.parents {
            let Some(before) = self.walk.point(*parent)? else { continue };
            if self.at(before.tree)? == here {
                self.walk.push(*parent)?;
                return Ok(Some(false));
            }
        }
        for parent in &point.parents {
            self.walk.push(*parent)?;
        }
        Ok(Some(here.is_some() || !point.parents.is_empty()))
    }

    fn at(&mut self, tree: Oid) -> Result<Option<Node>> {
        if let Some(known) = self.at.get(&tree) {
            return Ok(*known);
        }
        let found = self.walk.repo.find_below(tree, self.path)?;
        self.at.insert(tree, found);
        Ok(found)
    }
}
