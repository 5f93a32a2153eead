//! A file's own bytes: whole where they are few, else streamed.

use std::sync::atomic::AtomicBool;

use countersign_core::caller::Caller;
use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_git::Repo;
use countersign_git::raw::{MOST_WHOLE, Streamed};
use countersign_git::tree::EntryKind;

use super::browse::no_path;
use super::heading::{self, Asked, Opened, Seen};
use super::image::ImageKind;
use crate::App;
use crate::gate::{Action, Permit};
use crate::git_problem::git_problem;

/// The action.
pub const RAW: Action = heading::action("repository.raw");

/// A file.
#[derive(Debug)]
pub struct RawFile {
    /// The last part of its path, in whatever encoding.
    pub name: Vec<u8>,
    /// How many bytes it has.
    pub size: u64,
    /// What it is.
    pub kind: RawKind,
    /// The bytes.
    pub bytes: RawBytes,
}

/// What a browser may take a file for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawKind {
    /// UTF-8 text.
    Text,
    /// A picture that holds no code.
    Image(ImageKind),
    /// Bytes.
    Other,
}

/// The bytes of a file.
#[derive(Debug)]
pub enum RawBytes {
    /// All of them.
    Whole(Vec<u8>),
    /// On their way.
    Streamed {
        /// The first of them.
        head: Vec<u8>,
        /// What follows.
        rest: Streamed,
    },
}

/// The file at a path of a branch, a tag or a commit.
pub async fn raw(
    app: &App,
    caller: &Caller,
    id: ResourceId,
    (reference, path): (Option<String>, TreePath),
) -> Result<RawFile, Problem> {
    heading::through(app, caller, RAW, id, |permit| run(app, permit, reference, path)).await
}

async fn run(
    app: &App,
    permit: Permit<Opened>,
    reference: Option<String>,
    path: TreePath,
) -> Result<RawFile, Problem> {
    let person = permit.person()?;
    let opened = permit.target();
    let asked = Asked::read(reference.clone(), opened)?;
    let wanted = path.clone();
    let look = move |repo: &Repo, stop: &AtomicBool| {
        let Some(commit) = Seen::commit(repo, &asked, stop)? else { return Ok(None) };
        let file = repo.find(commit, &wanted)?.filter(|node| node.kind == EntryKind::File);
        let Some(node) = file else { return Ok(Some((commit, None))) };
        Ok(Some((commit, Some((node.oid, repo.size(node.oid)?, repo.whole(node.oid, MOST_WHOLE)?)))))
    };
    let found =
        app.git.desk(person).within(opened.id, heading::LOOK_TIME, look).await.map_err(git_problem)?;
    let (commit, file) = found.ok_or_else(|| heading::missing(reference.as_deref()))?;
    let (oid, size, whole) = file.ok_or_else(|| no_path(&path, commit))?;
    let name = path.name().to_vec();
    if let Some(bytes) = whole {
        return Ok(RawFile { name, size, kind: kind(&bytes), bytes: RawBytes::Whole(bytes) });
    }
    let mut streamed = app.git.desk(person).stream(opened.id, oid).await.map_err(git_problem)?;
    let head = streamed.head().await.map_err(git_problem)?;
    Ok(RawFile { name, size, kind: kind(&head), bytes: RawBytes::Streamed { head, rest: streamed } })
}

/// What the bytes are, or begin with.
fn kind(bytes: &[u8]) -> RawKind {
    let text = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        // A character at the cut is no mistake.
        Err(error) => error.error_len().is_none(),
    };
    match ImageKind::of(bytes) {
        Some(image) => RawKind::Image(image),
        None if text && !bytes.contains(&0) => RawKind::Text,
        None => RawKind::Other,
    }
}
