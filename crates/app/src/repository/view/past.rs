//! What the pages of a repository's past show: blame and history.

use countersign_core::gitnest::tree_path::TreePath;

use super::{CommitLine, Heading, Lines};

/// A page of a file with who wrote its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlameView {
    /// What stands above it.
    pub heading: Heading,
    /// Which file.
    pub path: TreePath,
    /// What was found.
    pub body: BlameBody,
}

/// What came of a blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlameBody {
    /// The lines and who wrote them.
    Done {
        /// The lines.
        lines: Lines,
        /// Runs of lines of one commit, in their order and without gaps.
        runs: Vec<BlameRun>,
    },
    /// It is no text.
    Binary,
    /// It has more bytes than are blamed, or had them once.
    TooLarge,
    /// Its history is too long for the time that a page may take.
    TooLong,
    /// Its history could not be worked out.
    Failed,
}

/// Lines that one commit wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlameRun {
    /// The number of the first, from 1.
    pub from: usize,
    /// How many.
    pub lines: usize,
    /// The commit; `None` where the history does not say.
    pub commit: Option<CommitLine>,
}

/// A page of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryView {
    /// What stands above it.
    pub heading: Heading,
    /// Of which path; the root for everything.
    pub path: TreePath,
    /// The latest first.
    pub commits: Vec<CommitLine>,
    /// How many come before these.
    pub offset: usize,
    /// Whether there are more.
    pub more: bool,
    /// Whether the walk was stopped before it knew.
    pub cut: bool,
}
