//! Which commit changed each entry of a folder last: the history is walked once for all of them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;

use crate::error::Result;
use crate::history::CommitInfo;
use crate::repo::{Repo, from_gix};
use crate::tree::{EntryKind, Node, decode};
use crate::walk::Walk;

/// How many commits are looked at.
const MOST_SEEN: usize = 5_000;

/// The commits that changed some entries last, as far as they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastChanges {
    /// For each entry that was asked for, its commit, or `None` where the walk was stopped before.
    pub of: Vec<Option<Oid>>,
    /// What these commits say.
    pub commits: HashMap<Oid, CommitInfo>,
}

impl Repo {
    /// Walks back from `tip` until a change of each of `names` in `folder` was found, a bound was met, or `stop` was
    /// raised. An entry follows the parent that has the same, so that a merge answers for nothing that it only took.
    pub fn last_changes(
        &self,
        tip: Oid,
        folder: &TreePath,
        names: &[Vec<u8>],
        stop: &AtomicBool,
    ) -> Result<LastChanges> {
        let mut run = Run::of(self, folder, names);
        run.begin(tip)?;
        let mut seen = 0;
        while let Some(commit) = run.walk.pop() {
            seen += 1;
            if seen > MOST_SEEN || stop.load(Ordering::Relaxed) {
                break;
            }
            run.pass(commit)?;
        }
        let mut found = LastChanges { of: run.of, commits: HashMap::new() };
        for oid in found.of.iter().flatten() {
            if !found.commits.contains_key(oid) {
                found.commits.extend(self.commit_line(*oid)?.map(|commit| (*oid, commit)));
            }
        }
        Ok(found)
    }
}

struct Run<'a> {
    walk: Walk,
    folder: &'a TreePath,
    /// Where each name stands in what was asked for.
    places: HashMap<&'a [u8], usize>,
    of: Vec<Option<Oid>>,
    /// The entries as the tip has them.
    wanted: Vec<Option<Node>>,
    /// Entries that a commit still has as the tip has them.
    waiting: HashMap<Oid, Vec<usize>>,
    /// The folder's object, by the root's.
    folders: HashMap<Oid, Option<Node>>,
}

impl<'a> Run<'a> {
    fn of(repo: &Repo, folder: &'a TreePath, names: &'a [Vec<u8>]) -> Self {
        let places = names.iter().enumerate().map(|(place, name)| (name.as_slice(), place)).collect();
        Self {
            walk: Walk::of(repo),
            folder,
            places,
            of: vec![None; names.len()],
            wanted: vec![None; names.len()],
            waiting: HashMap::new(),
            folders: HashMap::new(),
        }
    }

    fn begin(&mut self, tip: Oid) -> Result<()> {
        let Some(point) = self.walk.point(tip)? else { return Ok(()) };
        let Some(folder) = self.folder_of(point.tree)? else { return Ok(()) };
        let mut wanted = std::mem::take(&mut self.wanted);
        self.entries(folder, |place, node| wanted[place] = Some(node))?;
        let all = (0..wanted.len()).filter(|place| wanted[*place].is_some()).collect();
        self.wanted = wanted;
        self.waiting.insert(tip, all);
        self.walk.push(tip)
    }

    /// Passes on to each parent what it has the same; the rest was changed here.
    fn pass(&mut self, commit: Oid) -> Result<()> {
        let Some(mut left) = self.waiting.remove(&commit) else { return Ok(()) };
        let Some(point) = self.walk.point(commit)? else { return Ok(()) };
        let mut all_read = true;
        let here = self.folder_of(point.tree)?;
        for parent in &point.parents {
            let Some(before) = self.walk.point(*parent)? else {
                all_read = false;
                continue;
            };
            let there = self.folder_of(before.tree)?;
            let passed = if there == here {
                std::mem::take(&mut left)
            } else {
                let same = self.same_in(there)?;
                left.extract_if(.., |place| same[*place]).collect()
            };
            if !passed.is_empty() {
                self.waiting.entry(*parent).or_default().extend(passed);
                self.walk.push(*parent)?;
            }
            if left.is_empty() {
                return Ok(());
            }
        }
        // What a parent that is not read may have had is nobody's change.
        for place in left.into_iter().filter(|_| all_read) {
            self.of[place] = Some(commit);
        }
        Ok(())
    }

    /// Which of the entries a folder has as the tip has them.
    fn same_in(&self, folder: Option<Oid>) -> Result<Vec<bool>> {
        let mut same = vec![false; self.wanted.len()];
        if let Some(folder) = folder {
            self.entries(folder, |place, node| same[place] = self.wanted[place] == Some(node))?;
        }
        Ok(same)
    }

    fn entries(&self, folder: Oid, mut seen: impl FnMut(usize, Node)) -> Result<()> {
        let data = self.walk.repo.tree_data(folder)?;
        for entry in &decode(&data)?.entries {
            if let Some(place) = self.places.get::<[u8]>(entry.filename) {
                seen(*place, Node { kind: EntryKind::of(entry.mode.kind()), oid: from_gix(entry.oid)? });
            }
        }
        Ok(())
    }

    fn folder_of(&mut self, tree: Oid) -> Result<Option<Oid>> {
        let known = self.folders.get(&tree).copied();
        let found = match known {
            Some(known) => known,
            None => self.walk.repo.find_below(tree, self.folder)?,
        };
        self.folders.insert(tree, found);
        Ok(found.filter(|node| node.kind == EntryKind::Folder).map(|node| node.oid))
    }
}
