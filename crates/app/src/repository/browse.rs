//! Browse a repository as a person: a folder with its last changes and its introduction, or a file.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use countersign_core::caller::Caller;
use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::{ResourceId, UserId};
use countersign_core::problem::{Code, Problem};
use countersign_git::Repo;
use countersign_git::file::{FileSlice, MOST_TEXT_BYTES};
use countersign_git::last::LastChanges;
use countersign_git::listing::Listing;
use countersign_git::log::Log;
use countersign_git::raw::HEAD_BYTES;
use countersign_git::tree::{EntryKind, Page};

use super::heading::{self, Asked, Opened, Seen};
use super::image::ImageKind;
use super::view::{
    BrowseBody, BrowseView, CommitLine, FileBody, FileView, FolderRow, FolderRowKind, FolderView, Lines,
    Readme,
};
use crate::App;
use crate::gate::{Action, Permit};
use crate::git_problem::git_problem;

/// The action.
pub const BROWSE: Action = heading::action("repository.browse");

/// How many entries of a folder are on a page.
pub const ENTRIES: usize = 1_000;
/// How many lines of a file are.
pub const LINES: usize = 2_000;
/// How long the history is walked for the last changes: they are a help, and the page does not wait for them.
const LAST_TIME: Duration = Duration::from_millis(400);
/// How many bytes an introduction has at most to be shown below its folder.
const MOST_README: u64 = 256 << 10;
/// How many bytes the target of a link has at most to be shown.
const MOST_TARGET: u64 = 4 << 10;
/// How many bytes a picture has at most to be shown.
const MOST_IMAGE: u64 = 8 << 20;

/// What to look at.
#[derive(Clone, Debug, Default)]
pub struct BrowseRequest {
    /// A branch, a tag or the full id of a commit; else the default branch.
    pub reference: Option<String>,
    /// A file or folder; else the root.
    pub path: TreePath,
    /// How many entries, lines or commits to skip.
    pub offset: usize,
    /// How many to give; as many as a page shows without.
    pub limit: Option<usize>,
}

/// Looks at what lies at a path.
pub async fn browse(
    app: &App,
    caller: &Caller,
    id: ResourceId,
    request: BrowseRequest,
) -> Result<BrowseView, Problem> {
    heading::through(app, caller, BROWSE, id, |permit| run(app, permit, request)).await
}

/// What Git says of a path.
enum Found {
    NoCommit,
    Nothing,
    Folder(Listing, Option<Readme>),
    File { size: u64, body: FileBody },
    Symlink(Option<String>),
    Submodule(Oid),
}

async fn run(app: &App, permit: Permit<Opened>, request: BrowseRequest) -> Result<BrowseView, Problem> {
    let person = permit.person()?;
    let opened = permit.target().clone();
    let asked = Asked::read(request.reference.clone(), &opened)?;
    let (path, part) = (request.path.clone(), (request.offset, request.limit));
    let look = move |repo: &Repo, stop: &AtomicBool| {
        let Some(seen) = Seen::look(repo, &asked, stop)? else { return Ok(None) };
        let found = match seen.oid() {
            Some(commit) => find(repo, commit, &path, part)?,
            None => Found::NoCommit,
        };
        Ok(Some((seen, found)))
    };
    let found =
        app.git.desk(person).within(opened.id, heading::LOOK_TIME, look).await.map_err(git_problem)?;
    let Some((seen, found)) = found else {
        return Err(heading::missing(request.reference.as_deref()));
    };
    let at = (opened.id, seen.oid());
    let (body, latest) = body((app, person), at, &request, found).await?;
    Ok(BrowseView { heading: heading::heading(opened, seen), path: request.path, body, latest })
}

fn find(
    repo: &Repo,
    commit: Oid,
    path: &TreePath,
    (offset, limit): (usize, Option<usize>),
) -> countersign_git::Result<Found> {
    let Some(node) = repo.find(commit, path)? else { return Ok(Found::Nothing) };
    Ok(match node.kind {
        EntryKind::Folder => {
            let listing =
                repo.listing(node.oid, Page { offset, limit: limit.unwrap_or(ENTRIES).min(ENTRIES) })?;
            let readme = if offset == 0 { readme(repo, path, &listing)? } else { None };
            Found::Folder(listing, readme)
        }
        EntryKind::File => file(repo, node.oid, offset)?,
        EntryKind::Symlink => {
            let target = repo.whole(node.oid, MOST_TARGET)?.and_then(|bytes| String::from_utf8(bytes).ok());
            Found::Symlink(target)
        }
        EntryKind::Submodule => Found::Submodule(node.oid),
    })
}

fn readme(repo: &Repo, folder: &TreePath, listing: &Listing) -> countersign_git::Result<Option<Readme>> {
    let Some((name, oid)) = &listing.readme else { return Ok(None) };
    let text = repo.whole(*oid, MOST_README)?.and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(Some(Readme { path: folder.join(name), text: text.filter(|text| !text.contains('\0')) }))
}

fn file(repo: &Repo, oid: Oid, offset: usize) -> countersign_git::Result<Found> {
    let size = repo.size(oid)?;
    if size > MOST_TEXT_BYTES.max(MOST_IMAGE) {
        return Ok(Found::File { size, body: FileBody::TooLarge });
    }
    let slice = repo.page(oid, Page { offset, limit: LINES })?;
    if !slice.binary {
        return Ok(Found::File { size, body: FileBody::Text(lines(slice)) });
    }
    let bytes = repo.whole(oid, MOST_IMAGE)?.unwrap_or_default();
    let body = if ImageKind::of(bytes.get(..HEAD_BYTES).unwrap_or(&bytes)).is_some() {
        FileBody::Image
    } else {
        FileBody::Binary
    };
    Ok(Found::File { size, body })
}

pub(super) fn lines(slice: FileSlice) -> Lines {
    let FileSlice { text, from, to, total_lines, binary: _, cut } = slice;
    Lines { text, from, to, total: total_lines, cut }
}

/// What the page shows of it, with the history beside it as far as it is found in time.
async fn body(
    (app, person): (&App, UserId),
    (id, commit): (ResourceId, Option<Oid>),
    request: &BrowseRequest,
    found: Found,
) -> Result<(BrowseBody, Option<CommitLine>), Problem> {
    let Some(commit) = commit else { return Ok((BrowseBody::Empty, None)) };
    let (names, body) = match found {
        Found::NoCommit => return Ok((BrowseBody::Empty, None)),
        Found::Nothing => return Err(no_path(&request.path, commit)),
        Found::Folder(listing, readme) => {
            let names = listing.items.iter().map(|item| item.name.clone()).collect();
            (names, BrowseBody::Folder(folder(request, listing, readme)))
        }
        Found::File { size, body } => (Vec::new(), BrowseBody::File(FileView { size, body })),
        Found::Symlink(target) => (Vec::new(), BrowseBody::Symlink { target }),
        Found::Submodule(oid) => (Vec::new(), BrowseBody::Submodule { oid }),
    };
    let path = request.path.clone();
    let changes = move |repo: &Repo, stop: &AtomicBool| {
        let one = Page { offset: 0, limit: 1 };
        let latest = repo.log(commit, &path, one, stop)?;
        Ok((latest, repo.last_changes(commit, &path, &names, stop)?))
    };
    Ok(match app.git.desk(person).within(id, LAST_TIME, changes).await {
        Ok(changes) => dated(app, body, &changes),
        // What was changed last is a help: the page is there without it.
        Err(error) => {
            tracing::warn!(%error, repository = %id, path = %request.path, "the last changes cannot be read");
            (body, None)
        }
    })
}

fn dated(
    app: &App,
    mut body: BrowseBody,
    (latest, changes): &(Log, LastChanges),
) -> (BrowseBody, Option<CommitLine>) {
    let known: std::collections::HashMap<Oid, CommitLine> =
        changes.commits.iter().map(|(oid, commit)| (*oid, heading::line(app, commit))).collect();
    if let BrowseBody::Folder(view) = &mut body {
        for (row, oid) in view.rows.iter_mut().zip(&changes.of) {
            row.last = oid.and_then(|oid| known.get(&oid).cloned());
        }
    }
    (body, latest.items.first().map(|commit| heading::line(app, commit)))
}

fn folder(request: &BrowseRequest, listing: Listing, readme: Option<Readme>) -> FolderView {
    let row = |item: countersign_git::listing::Item| FolderRow {
        path: request.path.join(&item.name),
        kind: match item.kind {
            EntryKind::File => FolderRowKind::File,
            EntryKind::Folder => FolderRowKind::Folder,
            EntryKind::Symlink => FolderRowKind::Symlink,
            EntryKind::Submodule => FolderRowKind::Submodule,
        },
        size: item.size.filter(|_| item.kind == EntryKind::File),
        last: None,
    };
    let total = listing.total;
    FolderView { rows: listing.items.into_iter().map(row).collect(), offset: request.offset, total, readme }
}

/// The refusal of a path that leads to nothing.
pub(super) fn no_path(path: &TreePath, commit: Oid) -> Problem {
    let shown: String = path.to_string().chars().take(200).collect();
    Problem::new(Code::PathNotFound, "There is nothing at this path in this state of the repository.")
        .next("Go up to the folder, or choose another branch.")
        .fact("path", shown)
        .fact("commit", commit.to_string())
}
