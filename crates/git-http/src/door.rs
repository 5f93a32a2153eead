//! From an address to a repository: its parts are checked, and the application decides.

use std::path::PathBuf;

use axum::response::Response;
use countersign_app::repository::door::open_for_read;
use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;

use crate::answer;
use crate::state::State;

/// The longest part of an address.
const LONGEST: usize = 64;

/// Where the repository at `/git/<workspace>/<name>` lies, when the caller may read it. No part of the
/// path comes from the client: it is made of the repository's id.
pub(crate) async fn open(
    state: &State,
    caller: &Caller,
    workspace: &str,
    name: &str,
) -> Result<PathBuf, Response> {
    let name = parts(workspace, name)?;
    let id = open_for_read(&state.app, caller, workspace, name).await;
    Ok(state.app.git.path(id.map_err(|problem| answer::problem(&problem))?))
}

/// The repository at `/git/<workspace>/<name>`, when the caller may push to it.
pub(crate) async fn open_for_push(
    state: &State,
    caller: &Caller,
    workspace: &str,
    name: &str,
) -> Result<ResourceId, Response> {
    let name = parts(workspace, name)?;
    let id = countersign_app::push::open(&state.app, caller, workspace, name).await;
    id.map_err(|problem| answer::problem(&problem))
}

/// The name of a repository, when both parts of its address can be ones.
fn parts<'n>(workspace: &str, name: &'n str) -> Result<&'n str, Response> {
    let none = || answer::problem(&Problem::not_found("repository"));
    let name = name.strip_suffix(".git").filter(|name| is_part(name)).ok_or_else(none)?;
    if is_part(workspace) { Ok(name) } else { Err(none()) }
}

/// Whether this can be a slug or a name at all.
fn is_part(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(fits)
}
