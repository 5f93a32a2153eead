//! What the pages of repositories show.

mod list;
mod past;

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;
use countersign_core::role::MemberRole;
use countersign_core::time::Timestamp;

pub use list::{
    BranchRow, BranchesView, FileHits, GrepView, Hit, Of, OverviewGroup, OverviewRow, OverviewView, TagRow,
};
pub use past::{BlameBody, BlameRun, BlameView, HistoryView};

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
    /// What the person may do here.
    pub role: MemberRole,
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
