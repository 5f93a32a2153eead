//! What changes between two states, as data: files, hunks, lines; bounded in files, lines, bytes and time.

mod budget;
mod lines;
mod renamed;
mod walk;

use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;

use crate::error::{GitError, Result};
use crate::file::MOST_TEXT_BYTES;
use crate::repo::Repo;
use crate::tree::EntryKind;

use budget::Budget;
use walk::Changed;

pub use walk::Paths;

/// git looks for a NUL in this many bytes to tell binary from text.
const SNIFFED: usize = 8000;

/// What happens to one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    Added,
    /// It was there with other content, or as something else.
    Modified,
    /// It is gone.
    Removed,
}

/// What a path is, as git's modes say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// 100644.
    File,
    /// 100755.
    Executable,
    /// 120000.
    Symlink,
    /// 160000.
    Submodule,
}

/// What can be shown of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Lines of text, in hunks; none where nothing but the mode changes.
    Text(Vec<Hunk>),
    /// Bytes that are no text.
    Binary,
    /// More lines than are shown; how many.
    TooLarge(usize),
    /// It was not compared: too many bytes, or the bounds of the whole change or its time were used up before.
    NotCompared,
}

/// One file of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff {
    /// Its path from the root.
    pub path: TreePath,
    /// Where it was before, when it comes under another name.
    pub from: Option<TreePath>,
    /// What happens to it; a renamed one is modified.
    pub change: Change,
    /// What it was; `None` where it was not there. A proposal changes no modes: none are given.
    pub old_mode: Option<Mode>,
    /// What it is; `None` where it is gone.
    pub new_mode: Option<Mode>,
    /// Lines that come.
    pub added: usize,
    /// Lines that go.
    pub removed: usize,
    /// The lines themselves.
    pub body: Body,
}

/// Lines that change, with unchanged ones before and after: as many as the bounds say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The lines, in the order in which they are read.
    pub lines: Vec<Line>,
}

/// One line, with its number from 1 on each side where it stands. The text comes without its line
/// feed, but with a carriage return, so that a change of nothing else can be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// On both sides.
    Same {
        /// Number on the old side.
        old: u32,
        /// Number on the new side.
        new: u32,
        /// What it says.
        text: String,
    },
    /// On the old side alone.
    Removed {
        /// Number on the old side.
        old: u32,
        /// What it says.
        text: String,
    },
    /// On the new side alone.
    Added {
        /// Number on the new side.
        new: u32,
        /// What it says.
        text: String,
    },
    /// The line before ends its side without a line feed.
    NoEnding,
}

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Files.
    pub files: usize,
    /// Lines of one file, unchanged ones included.
    pub file_lines: usize,
    /// Lines of all files together.
    pub lines: usize,
    /// Bytes of one file, on each side.
    pub file_bytes: u64,
    /// Bytes of all files together, on both sides.
    pub bytes: u64,
    /// Unchanged lines before and after a change.
    pub context: u32,
}

impl Bounds {
    /// For a change that landed.
    pub const COMMIT: Self = Self {
        files: 300,
        file_lines: 4000,
        lines: 20_000,
        file_bytes: 256 << 10,
        bytes: 2 << 20,
        context: 3,
    };
    /// For a change that waits for a person, who must be able to read all of it: at most 200 KiB
    /// of files are proposed at once, so that what comes always fits.
    pub const PROPOSAL: Self = Self {
        files: 20,
        file_lines: 250_000,
        lines: 500_000,
        file_bytes: MOST_TEXT_BYTES,
        bytes: 64 << 20,
        context: 3,
    };

    /// The same with every line of the files that change.
    #[must_use]
    pub const fn whole(self) -> Self {
        Self { context: u32::MAX, ..self }
    }
}

/// A change, as far as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The files, by path; proposed ones in the order in which they were proposed.
    pub files: Vec<FileDiff>,
    /// Whether more files change than are listed.
    pub more: bool,
}

impl Repo {
    /// What a commit changes against its first parent; the first commit, against nothing. Once `stop` is raised, files
    /// are listed and not compared any more.
    pub fn diff_of_commit(&self, oid: Oid, bounds: Bounds, stop: &AtomicBool) -> Result<Diff> {
        let commit = self.commit(oid)?.ok_or_else(|| GitError::Damaged { what: format!("commit {oid}") })?;
        let before = commit.parents.first().copied();
        let mut changed = self.walk_changes(before, oid, bounds.files, stop)?;
        self.join_renamed(&mut changed.files, stop)?;
        let mut budget = Budget::of(bounds);
        let mut files = Vec::new();
        for Changed { path, from, old, new, old_mode, new_mode } in changed.files {
            let (old, new) = if stop.load(Ordering::Relaxed) || !budget.takes(self, &[old, new])? {
                (old.map(|_| Side::NotRead), new.map(|_| Side::NotRead))
            } else {
                (old.map(|side| self.side(side)).transpose()?, new.map(|side| self.side(side)).transpose()?)
            };
            let file = budget.file(path, old.as_ref(), new.as_ref());
            files.push(FileDiff { from, old_mode, new_mode, ..file });
        }
        Ok(Diff { files, more: changed.more })
    }

    /// What `files` (path and whole content) would change on `base`. The new text is always shown,
    /// also where it replaces something that is none, or more than is compared.
    pub fn diff_of_files(&self, base: Oid, files: &[(String, String)], bounds: Bounds) -> Result<Diff> {
        let mut budget = Budget::of(bounds);
        let mut shown = Vec::new();
        for (path, content) in files.iter().take(bounds.files) {
            let old = match self.find(base, path)? {
                Some(node) => Some(self.old_side((node.kind, node.oid), &mut budget)?),
                None => None,
            };
            let new = Side::Text(content.as_bytes().to_vec());
            shown.push(budget.file(TreePath::new(path), old.as_ref(), Some(&new)));
        }
        Ok(Diff { files: shown, more: files.len() > bounds.files })
    }

    /// What a proposed file is compared with; nothing, where that is no text.
    fn old_side(&self, old: (EntryKind, Oid), budget: &mut Budget) -> Result<Side> {
        if !budget.takes(self, &[Some(old)])? {
            return Ok(Side::Text(Vec::new()));
        }
        Ok(match self.side(old)? {
            Side::Text(bytes) => Side::Text(bytes),
            Side::Binary | Side::NotRead => Side::Text(Vec::new()),
        })
    }

    /// Reads a side, whose size was asked before.
    fn side(&self, (kind, oid): (EntryKind, Oid)) -> Result<Side> {
        match kind {
            // git shows a submodule by this line as well.
            EntryKind::Submodule => Ok(Side::Text(format!("Subproject commit {oid}\n").into_bytes())),
            EntryKind::Folder => Ok(Side::Text(Vec::new())),
            EntryKind::File | EntryKind::Symlink => {
                let bytes = self.blob(oid)?;
                let binary = bytes.iter().take(SNIFFED).any(|byte| *byte == 0);
                Ok(if binary { Side::Binary } else { Side::Text(bytes) })
            }
        }
    }
}

/// One side of a file.
enum Side {
    Text(Vec<u8>),
    Binary,
    NotRead,
}
