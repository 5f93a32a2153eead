//! A diff as plain data: files, hunks, lines.

use countersign_core::gitnest::tree_path::TreePath;

/// What happens to one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// It was not there.
    Added,
    /// It was there with other content.
    Modified,
    /// It is gone.
    Removed,
}

/// What a path is, as Git's modes say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileMode {
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
pub enum FileBody {
    /// Lines of text, in hunks.
    Text(Vec<Hunk>),
    /// Bytes that are no text.
    Binary,
    /// More than a page can hold; the number of its lines.
    TooLarge(usize),
    /// Not compared: too many bytes, or the page had no room or no time left for it.
    NotCompared,
}

/// One file of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff {
    /// Its path in the tree, as people read it.
    pub path: String,
    /// The same as Git keeps it, for addresses.
    pub place: TreePath,
    /// Where it was before, when it comes under another name.
    pub from: Option<String>,
    /// What happens to it; a renamed one is modified.
    pub change: FileChange,
    /// What it was; `None` where it was not there, and in a proposal, which changes no modes.
    pub old_mode: Option<FileMode>,
    /// What it is; `None` where it is gone, and in a proposal.
    pub new_mode: Option<FileMode>,
    /// Lines that come.
    pub added: usize,
    /// Lines that go.
    pub removed: usize,
    /// The lines themselves.
    pub body: FileBody,
}

/// Lines that change, with unchanged ones around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The lines, in the order in which they are read.
    pub lines: Vec<Line>,
}

/// One line, with its number on each side where it stands there; numbers start at 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// On both sides.
    Same {
        /// Number on the old side.
        old: u32,
        /// Number on the new side.
        new: u32,
        /// Without its line ending.
        text: String,
    },
    /// On the old side alone.
    Removed {
        /// Number on the old side.
        old: u32,
        /// Without its line ending.
        text: String,
    },
    /// On the new side alone.
    Added {
        /// Number on the new side.
        new: u32,
        /// Without its line ending.
        text: String,
    },
    /// The line before has no line ending: it is the last of its side.
    NoEnding,
}
