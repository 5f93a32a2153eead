//! What a repository holds, over the REST API: folders, files, their past, branches and tags, the search.
//!
//! A path in Git is bytes. Answers tell it as text, with U+FFFD for what is no UTF-8; `path_encoded` then stands beside
//! it, and goes into the query `path` as it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gitnest::oid::Oid;
use crate::time::Timestamp;

/// A commit in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CommitItem {
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

/// `GET /api/v1/repositories/{id}/tree`: a folder of one commit, folders first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FolderPage {
    /// The commit; none where the repository has none yet.
    pub commit: Option<Oid>,
    /// The folder.
    pub path: String,
    /// What is in it.
    pub items: Vec<FolderItem>,
    /// How many entries it has.
    pub total: usize,
    /// What to pass as `after` for the entries behind these, of the same commit; none at the end.
    pub next: Option<String>,
}

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum EntryKind {
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FolderItem {
    /// Where it is, from the root.
    pub path: String,
    /// The same for an address, where it is no UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_encoded: Option<String>,
    /// What it is.
    pub kind: EntryKind,
    /// How many bytes a file has.
    pub size: Option<u64>,
    /// The commit that changed it last, where it was found in time.
    pub last: Option<CommitItem>,
}

/// `GET /api/v1/repositories/{id}/file`: up to 2,000 lines of a file, or what else lies there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileFacts {
    /// The commit.
    pub commit: Oid,
    /// The file.
    pub path: String,
    /// The commit that changed it last, where it was found in time.
    pub last: Option<CommitItem>,
    /// What is there.
    #[serde(flatten)]
    pub content: FileContent,
}

/// What lies at a path that is no folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FileContent {
    /// Text.
    Text {
        /// How many bytes it has.
        size: u64,
        /// Some of its lines.
        lines: TextLines,
    },
    /// A picture; its bytes are at `/raw`.
    Image {
        /// How many bytes it has.
        size: u64,
    },
    /// Bytes that are no UTF-8 text; they are at `/raw`.
    Binary {
        /// How many bytes it has.
        size: u64,
    },
    /// Too many bytes to be looked at; they are at `/raw`.
    TooLarge {
        /// How many bytes it has.
        size: u64,
    },
    /// A symbolic link, which is never followed.
    Symlink {
        /// Where it points; none where that is no text.
        target: Option<String>,
    },
    /// A commit of another repository.
    Submodule {
        /// Which one.
        oid: Oid,
    },
}

/// Some lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TextLines {
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

/// `GET /api/v1/repositories/{id}/history`: commits, the latest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HistoryPage {
    /// The commits.
    pub items: Vec<CommitItem>,
    /// What to pass as `after` for the commits before these; none at the end.
    pub next: Option<String>,
    /// Whether the walk was stopped before it knew all.
    pub cut: bool,
}

/// `GET /api/v1/repositories/{id}/blame`: who wrote up to 1,000 lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BlameFacts {
    /// The file.
    pub path: String,
    /// What came of it.
    pub outcome: BlameOutcome,
    /// The lines, when it is done.
    pub lines: Option<TextLines>,
    /// Runs of lines of one commit, in their order and without gaps.
    pub runs: Vec<BlameRun>,
}

/// What came of a blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum BlameOutcome {
    /// Every line has its commit, as far as the history says.
    Done,
    /// It is no text.
    Binary,
    /// It has more bytes than are blamed, or had them once.
    TooLarge,
    /// Its history is too long for the time that a call may take.
    TooLong,
    /// Its history could not be worked out.
    Failed,
}

/// Lines that one commit wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BlameRun {
    /// The number of the first, from 1.
    pub from: usize,
    /// How many.
    pub lines: usize,
    /// The commit; none where the history does not say.
    pub commit: Option<CommitItem>,
}

/// One item of `GET /api/v1/repositories/{id}/branches` and of `/tags`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefItem {
    /// Its name.
    pub name: String,
    /// The commit that it leads to.
    pub oid: Oid,
    /// That commit, where it can be read.
    pub last: Option<CommitItem>,
}

/// `GET /api/v1/repositories/{id}/search`: lines that hold a text, at most 200.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SearchFacts {
    /// By file, in the order of their paths.
    pub files: Vec<FileHits>,
    /// Whether the search ended before it had seen everything.
    pub truncated: bool,
}

/// The lines of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileHits {
    /// The file.
    pub path: String,
    /// The lines.
    pub hits: Vec<LineHit>,
}

/// A line that holds the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LineHit {
    /// Its number, from 1.
    pub line: usize,
    /// The line, cut where it is long.
    pub text: String,
    /// The lines before.
    pub before: Vec<String>,
    /// The lines after.
    pub after: Vec<String>,
}
