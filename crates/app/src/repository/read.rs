//! Read a repository at one commit: its branches, and a folder or some lines of a file.

use std::sync::atomic::AtomicBool;

use countersign_core::caller::Caller;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_core::scope::Scope;
use countersign_git::Repo;
use countersign_git::revision::Revision;
use countersign_git::tree::{EntryKind, Page};
use countersign_store::repository::Repository;
use serde::Serialize;

use super::heading::LOOK_TIME;
use super::open;
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};
use crate::git_problem::git_problem;

/// The action, named as its tool.
pub const READ: Action =
    Action { name: "read_gitnest_repository", need: Need::Agent(Scope::Read), effect: Effect::Read };

/// How many lines or entries are given at most.
pub const LINES_MAX: usize = 400;
/// How many are given when nothing is asked for.
const LINES: usize = 200;
/// How many branches are named.
const BRANCHES: usize = 100;

/// What to read.
#[derive(Clone, Debug)]
pub struct ReadRequest {
    /// The repository.
    pub repository: ResourceId,
    /// A branch, or the full id of a commit that a branch leads to; else the default branch.
    pub reference: Option<String>,
    /// A file or folder; else the root.
    pub path: Option<String>,
    /// How many lines or entries to skip.
    pub offset: usize,
    /// How many to give, at most 400.
    pub limit: Option<usize>,
}

/// A repository at one commit.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Contents {
    /// Its name.
    pub name: String,
    /// The branch that is read when none is named.
    pub default_branch: String,
    /// The commit that was read: the tip of the branch, or the commit that was named.
    pub head_oid: Oid,
    /// The names of branches.
    pub branches: Vec<String>,
    /// The entries, where the path is a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Vec<TreeItem>>,
    /// The lines, where the path is a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<FileText>,
    /// Whether there are more lines, entries or branches, or a line is cut off.
    pub truncated: bool,
    /// The offset to go on from; null at the end.
    pub next_offset: Option<usize>,
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TreeItem {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: TreeKind,
    /// Its bytes; null for a folder or submodule.
    pub size: Option<u64>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum TreeKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link; it reads as its target.
    Symlink,
    /// A commit of another repository; it cannot be read here.
    Submodule,
}

/// Some lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FileText {
    /// The lines, with their endings; empty for a binary file.
    pub text: String,
    /// The number of the first line, from 1.
    pub from: usize,
    /// The number of the last line.
    pub to: usize,
    /// How many lines the file has.
    pub total_lines: usize,
    /// Whether it is no UTF-8 text, or too large to be read as one.
    pub binary: bool,
}

/// Reads a folder or some lines of a file.
pub async fn read(app: &App, caller: &Caller, request: ReadRequest) -> Result<Contents, Problem> {
    gate::through(
        app,
        caller,
        READ,
        move |t| {
            Box::pin(async move {
                let (id, row) = (request.repository, open::ready(t, request.repository).await?);
                let revision = open::revision(request.reference.as_deref(), &row.default_branch)?;
                Ok(Found::resource((row, revision, request), id, MemberRole::Viewer))
            })
        },
        |permit| run(app, permit),
    )
    .await
}

async fn run(app: &App, permit: Permit<(Repository, Revision, ReadRequest)>) -> Result<Contents, Problem> {
    let (row, revision, request) = permit.target().clone();
    let path = request.path.unwrap_or_default();
    let page = Page { offset: request.offset, limit: request.limit.unwrap_or(LINES).clamp(1, LINES_MAX) };
    let (asked, wanted) = (revision.clone(), path.clone());
    let look = move |repo: &Repo, stop: &AtomicBool| look(repo, (&asked, stop), &wanted, page);
    let look = app.git.within(request.repository, LOOK_TIME, look).await.map_err(git_problem)?;
    let Look::Seen { head, branches, more_branches, seen } = look else {
        return Err(open::nowhere(&revision));
    };
    let mut contents = Contents {
        name: row.name,
        default_branch: row.default_branch,
        head_oid: head,
        branches,
        tree: None,
        file: None,
        truncated: more_branches,
        next_offset: None,
    };
    match seen {
        Seen::Nothing => return Err(no_path(&path, head)),
        Seen::Submodule(oid) => {
            let said = format!("`{path}` is a submodule, at commit {oid} of another repository.");
            return Err(Problem::new(Code::PathNotFound, said).fact("path", path));
        }
        Seen::Folder { entries, total } => {
            let end = page.offset.saturating_add(entries.len());
            contents.next_offset = (end < total).then_some(end);
            contents.tree = Some(entries);
        }
        Seen::File { file, cut } => {
            contents.next_offset = (file.to < file.total_lines).then_some(file.to);
            contents.truncated |= cut;
            contents.file = Some(file);
        }
    }
    contents.truncated |= contents.next_offset.is_some();
    Ok(contents)
}

fn no_path(path: &str, head: Oid) -> Problem {
    Problem::new(Code::PathNotFound, format!("There is no `{path}` at commit {head}."))
        .fact("path", path)
        .fact("head_oid", head.to_string())
}

/// What the repository answers.
enum Look {
    Nowhere,
    Seen { head: Oid, branches: Vec<String>, more_branches: bool, seen: Seen },
}

enum Seen {
    Nothing,
    Submodule(Oid),
    Folder { entries: Vec<TreeItem>, total: usize },
    File { file: FileText, cut: bool },
}

fn look(
    repo: &Repo,
    (revision, stop): (&Revision, &AtomicBool),
    path: &str,
    page: Page,
) -> countersign_git::Result<Look> {
    let Some(head) = repo.resolve(revision, stop)? else {
        return Ok(Look::Nowhere);
    };
    let all = repo.branches()?;
    let more_branches = all.truncated || all.items.len() > BRANCHES;
    let branches = all.items.iter().take(BRANCHES).map(|branch| branch.name.to_string()).collect();
    let seen = match repo.find(head, path)? {
        None => Seen::Nothing,
        Some(node) => match node.kind {
            EntryKind::Submodule => Seen::Submodule(node.oid),
            EntryKind::Folder => {
                let folder = repo.folder(node.oid, page)?;
                Seen::Folder { entries: folder.entries.into_iter().map(item).collect(), total: folder.total }
            }
            EntryKind::File | EntryKind::Symlink => {
                let slice = repo.file(node.oid, page)?;
                let file = FileText {
                    text: slice.text,
                    from: slice.from,
                    to: slice.to,
                    total_lines: slice.total_lines,
                    binary: slice.binary,
                };
                Seen::File { file, cut: slice.cut }
            }
        },
    };
    Ok(Look::Seen { head, branches, more_branches, seen })
}

fn item(entry: countersign_git::tree::Entry) -> TreeItem {
    let kind = match entry.kind {
        EntryKind::File => TreeKind::File,
        EntryKind::Folder => TreeKind::Folder,
        EntryKind::Symlink => TreeKind::Symlink,
        EntryKind::Submodule => TreeKind::Submodule,
    };
    TreeItem { name: entry.name, kind, size: entry.size }
}
