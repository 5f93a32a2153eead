//! Which files differ between two commits, without comparing their lines.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;
use gix::bstr::BStr;
use gix::diff::tree::recorder::{Change, Location};
use gix::diff::tree::visit::{Action, Change as Visited};
use gix::diff::tree::{Error, Recorder, State, Visit};
use gix::objs::TreeRefIter;

use crate::bounded::Bounded;
use crate::error::{GitError, Result};
use crate::repo::{Repo, from_gix};
use crate::tree::EntryKind;

use super::Mode;

/// How many entries are looked at, folders included.
const MOST_SEEN: usize = 100_000;

/// Some paths, and whether there are more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    /// By path.
    pub items: Vec<String>,
    /// Whether the list was cut off.
    pub more: bool,
}

/// A file that differs, and its object on each side where it is.
pub(super) struct Changed {
    pub(super) path: TreePath,
    /// Where it was before, of one that was renamed.
    pub(super) from: Option<TreePath>,
    pub(super) old: Option<(EntryKind, Oid)>,
    pub(super) new: Option<(EntryKind, Oid)>,
    pub(super) old_mode: Option<Mode>,
    pub(super) new_mode: Option<Mode>,
}

pub(super) struct Walked {
    pub(super) files: Vec<Changed>,
    pub(super) more: bool,
}

impl Repo {
    /// The paths of the files that differ between two commits, at most `limit`.
    pub fn paths_between(&self, base: Oid, tip: Oid, limit: usize) -> Result<Paths> {
        let walked = self.walk_changes(Some(base), tip, limit, &AtomicBool::new(false))?;
        let mut items: Vec<String> = walked.files.iter().map(|file| file.path.to_string()).collect();
        items.dedup();
        Ok(Paths { items, more: walked.more })
    }

    /// What differs, by path, as far as it was seen when `stop` was raised. `None` is the state before the first commit.
    pub(super) fn walk_changes(
        &self,
        base: Option<Oid>,
        tip: Oid,
        limit: usize,
        stop: &AtomicBool,
    ) -> Result<Walked> {
        let old = match base {
            Some(base) => self.root(base)?,
            None => Vec::new(),
        };
        let new = self.root(tip)?;
        let kind = gix::hash::Kind::Sha1;
        let mut visitor = Visitor {
            recorder: Recorder::default().track_location(Some(Location::Path)),
            limit,
            seen: 0,
            more: false,
        };
        let (old, new) = (TreeRefIter::from_bytes(&old, kind), TreeRefIter::from_bytes(&new, kind));
        let objects = Bounded::of(&self.gix.objects, stop, 0);
        match gix::diff::tree(old, new, State::default(), &objects, &mut visitor) {
            Ok(()) | Err(Error::Cancelled) => {}
            Err(Error::Failure(_)) if stop.load(Ordering::Relaxed) => visitor.more = true,
            Err(Error::Failure(_)) if objects.met_a_large_one() => {
                return Err(GitError::TooMuch { what: "a folder" });
            }
            Err(Error::Failure(error)) => return Err(GitError::engine("compare two commits")(error)),
        }
        let mut files = visitor.recorder.records.into_iter().map(changed).collect::<Result<Vec<_>>>()?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Walked { files, more: visitor.more })
    }

    fn root(&self, commit: Oid) -> Result<Vec<u8>> {
        let commit =
            self.commit(commit)?.ok_or_else(|| GitError::Damaged { what: format!("commit {commit}") })?;
        self.tree_data(commit.tree)
    }
}

fn changed(change: Change) -> Result<Changed> {
    let side = |mode: gix::objs::tree::EntryMode, oid: &gix::oid| {
        Ok::<_, GitError>((EntryKind::of(mode.kind()), from_gix(oid)?))
    };
    Ok(match change {
        Change::Addition { entry_mode, oid, path, .. } => Changed {
            path: TreePath::new(path),
            from: None,
            old: None,
            new: Some(side(entry_mode, &oid)?),
            old_mode: None,
            new_mode: mode(entry_mode),
        },
        Change::Deletion { entry_mode, oid, path, .. } => Changed {
            path: TreePath::new(path),
            from: None,
            old: Some(side(entry_mode, &oid)?),
            new: None,
            old_mode: mode(entry_mode),
            new_mode: None,
        },
        Change::Modification { previous_entry_mode, previous_oid, entry_mode, oid, path } => Changed {
            path: TreePath::new(path),
            from: None,
            old: Some(side(previous_entry_mode, &previous_oid)?),
            new: Some(side(entry_mode, &oid)?),
            old_mode: mode(previous_entry_mode),
            new_mode: mode(entry_mode),
        },
    })
}

/// What a file is; a folder is none.
fn mode(mode: gix::objs::tree::EntryMode) -> Option<Mode> {
    use gix::objs::tree::EntryKind as Git;
    match mode.kind() {
        Git::Blob => Some(Mode::File),
        Git::BlobExecutable => Some(Mode::Executable),
        Git::Link => Some(Mode::Symlink),
        Git::Commit => Some(Mode::Submodule),
        Git::Tree => None,
    }
}

/// Records files, not folders, and stops at a bound: whoever made a repository also made its trees.
struct Visitor {
    recorder: Recorder,
    limit: usize,
    seen: usize,
    more: bool,
}

impl Visit for Visitor {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.recorder.pop_front_tracked_path_and_set_current();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.recorder.push_back_tracked_path_component(component);
    }

    fn push_path_component(&mut self, component: &BStr) {
        self.recorder.push_path_component(component);
    }

    fn pop_path_component(&mut self) {
        self.recorder.pop_path_component();
    }

    fn visit(&mut self, change: Visited) -> Action {
        self.seen += 1;
        let is_file = !change.entry_mode().is_tree();
        if self.seen > MOST_SEEN || (is_file && self.recorder.records.len() == self.limit) {
            self.more = true;
            return ControlFlow::Break(());
        }
        if is_file { self.recorder.visit(change) } else { ControlFlow::Continue(()) }
    }
}
