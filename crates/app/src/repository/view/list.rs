//! What the lists show: branches and tags, matches of a search, repositories.

use std::ops::Range;

use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;

use super::{CommitLine, Heading};

/// A branch in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchRow {
    /// Its name.
    pub name: String,
    /// Whether it is the default one.
    pub is_default: bool,
    /// Whether a maintainer must decide about it.
    pub is_protected: bool,
    /// Its last commit.
    pub last: Option<CommitLine>,
    /// What it has and lacks beside the default branch; `None` where that is too far.
    pub apart: Option<(usize, usize)>,
}

/// A tag in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagRow {
    /// Its name.
    pub name: String,
    /// The commit that it leads to.
    pub last: Option<CommitLine>,
}

/// The branches and tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchesView {
    /// What stands above it.
    pub heading: Heading,
    /// What their names hold; empty for all of them.
    pub part: String,
    /// The default one or the one that is named whole first, then those that changed last.
    pub branches: Vec<BranchRow>,
    /// Which of the branches these are.
    pub branches_of: Of,
    /// The one that is named whole first, then those that changed last.
    pub tags: Vec<TagRow>,
    /// Which of the tags these are.
    pub tags_of: Of,
}

/// Which part of a long list is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Of {
    /// How many come before.
    pub offset: usize,
    /// How many there are, as far as they are counted.
    pub total: usize,
    /// Whether there are more than are counted; a longer part of the name finds them.
    pub more: bool,
}

/// A line that holds what was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Its number, from 1.
    pub line: usize,
    /// The line, cut where it is long.
    pub text: String,
    /// Where in it the text stands, in bytes.
    pub found: Vec<Range<usize>>,
    /// The line before.
    pub before: Vec<String>,
    /// The line after.
    pub after: Vec<String>,
}

/// The lines of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHits {
    /// The file.
    pub path: TreePath,
    /// The lines.
    pub hits: Vec<Hit>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepView {
    /// What stands above it.
    pub heading: Heading,
    /// What was looked for; empty where nothing was.
    pub query: String,
    /// What the paths begin with.
    pub prefix: String,
    /// What was wrong with it.
    pub wrong: Option<&'static str>,
    /// By file, in the order of their paths.
    pub files: Vec<FileHits>,
    /// Whether the search ended before it had seen everything.
    pub truncated: bool,
}

/// One repository in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverviewRow {
    /// Its id.
    pub id: ResourceId,
    /// Its name.
    pub name: String,
    /// Whether agents see it.
    pub gitnest: bool,
    /// Its default branch.
    pub default_branch: String,
    /// The last commit there; `None` where there is none or it cannot be read.
    pub last: Option<CommitLine>,
}

/// The repositories of one project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverviewGroup {
    /// The name of the project.
    pub project: String,
    /// By name.
    pub rows: Vec<OverviewRow>,
}

/// The list of repositories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverviewView {
    /// What the names hold.
    pub query: String,
    /// By project.
    pub groups: Vec<OverviewGroup>,
    /// How many come before these.
    pub offset: usize,
    /// Whether there are more.
    pub more: bool,
}
