//! What the pages of repositories show.

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;
use countersign_core::time::Timestamp;

/// What kind of name leads to a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtKind {
    /// A branch.
    Branch,
    /// A tag.
    Tag,
    /// The commit's own id.
    Commit,
}

/// The state of a repository that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// What kind of name it has.
    pub kind: AtKind,
    /// The name, or the commit's id.
    pub name: String,
    /// What addresses repeat, so that they stay there; `None` where they lead there by themselves.
    pub reference: Option<String>,
    /// The commit.
    pub oid: Oid,
}

/// What stands above every page of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its id.
    pub id: ResourceId,
    /// Its name.
    pub name: String,
    /// The name of its project.
    pub project: String,
    /// Whether agents see it.
    pub gitnest: bool,
    /// Its default branch.
    pub default_branch: String,
    /// The address to clone from.
    pub clone_url: String,
    /// What is shown of it; `None` while it has no commit.
    pub at: Option<At>,
    /// The first branches by name, the default one at the top.
    pub branches: Vec<String>,
    /// The last tags by name.
    pub tags: Vec<String>,
    /// Whether it has more branches or tags.
    pub more: bool,
}

/// A commit in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitLine {
    /// Its id.
    pub oid: Oid,
    /// The first line of its message.
    pub title: String,
    /// Who wrote it.
    pub author: String,
    /// When it was let in.
    pub at: Timestamp,
    /// Whether this server signed it.
    pub signed: bool,
}

/// A page of a repository at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowseView {
    /// What stands above it.
    pub heading: Heading,
    /// Where in the tree.
    pub path: TreePath,
    /// What is there.
    pub body: BrowseBody,
    /// The last commit that changed it, where it was found in time.
    pub latest: Option<CommitLine>,
}

/// What lies at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrowseBody {
    /// The repository has no commit yet.
    Empty,
    /// A folder.
    Folder(FolderView),
    /// A file.
    File(FileView),
    /// A symbolic link, which is never followed.
    Symlink {
        /// Where it points; `None` where that is no text.
        target: Option<String>,
    },
    /// A commit of another repository.
    Submodule {
        /// Which one.
        oid: Oid,
    },
}

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderRowKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Symlink,
    /// A commit of another repository.
    Submodule,
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderRow {
    /// Where it is, from the root.
    pub path: TreePath,
    /// What it is.
    pub kind: FolderRowKind,
    /// How many bytes a file has.
    pub size: Option<u64>,
    /// The commit that changed it last, where it was found in time.
    pub last: Option<CommitLine>,
}

/// A page of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderView {
    /// Folders first.
    pub rows: Vec<FolderRow>,
    /// How many entries come before these.
    pub offset: usize,
    /// How many the folder has.
    pub total: usize,
    /// What introduces it.
    pub readme: Option<Readme>,
}

/// The file that introduces a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readme {
    /// Where it is.
    pub path: TreePath,
    /// What it says; `None` where it is no text or too long to be shown below a folder.
    pub text: Option<String>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileView {
    /// How many bytes it has.
    pub size: u64,
    /// What can be shown of it.
    pub body: FileBody,
}

/// What can be shown of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileBody {
    /// Some of its lines.
    Text(Lines),
    /// A picture of a kind that browsers show and that holds no code.
    Image,
    /// Bytes that are no UTF-8 text.
    Binary,
    /// Text or not, too many bytes to be looked at.
    TooLarge,
}

/// Some lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The lines with their endings.
    pub text: String,
    /// The number of the first, from 1.
    pub from: usize,
    /// The number of the last.
    pub to: usize,
    /// How many the file has.
    pub total: usize,
    /// Whether the last of them was too long and is cut off.
    pub cut: bool,
}

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
    /// The default one first, then those that changed last.
    pub branches: Vec<BranchRow>,
    /// How many come before these.
    pub offset: usize,
    /// How many there are, as far as they are counted.
    pub total: usize,
    /// The tags that changed last; on the first page alone.
    pub tags: Vec<TagRow>,
    /// Whether there are more branches or tags than are counted or listed.
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
    pub found: Vec<std::ops::Range<usize>>,
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
