//! The door for git clients: who may clone and fetch, decided anew for each request.

use countersign_core::caller::Caller;
use countersign_core::id::{ResourceId, WorkspaceId};
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_store::Tx;

use crate::App;
use crate::gate::{self, Action, Effect, Found, Need};

/// The action of a clone or fetch.
pub const FETCH: Action =
    Action { name: "git.fetch", need: Need::Person(TokenScope::RepoRead), effect: Effect::Read };

/// The repository at `/git/<slug>/<name>.git`, when the caller may read it.
pub async fn open_for_read(
    app: &App,
    caller: &Caller,
    slug: &str,
    name: &str,
) -> Result<ResourceId, Problem> {
    let (slug, name, workspace) = (slug.to_owned(), name.to_owned(), caller.workspace);
    gate::through(
        app,
        caller,
        FETCH,
        move |t| {
            Box::pin(async move {
                let id = at(t, workspace, &slug, &name).await?;
                Ok(Found::resource(id, id, MemberRole::Viewer))
            })
        },
        |permit| async move { Ok(*permit.target()) },
    )
    .await
}

/// The repository at `/git/<slug>/<name>.git` of this workspace; elsewhere it does not exist.
pub(crate) async fn at(
    t: &Tx<'_>,
    workspace: Option<WorkspaceId>,
    slug: &str,
    name: &str,
) -> Result<ResourceId, Problem> {
    let none = || Problem::not_found("repository");
    let workspace = workspace.ok_or_else(none)?;
    let found = countersign_store::repository::find_by_name(t, slug, name, workspace).await?;
    ResourceId::parse(&found.ok_or_else(none)?).map_err(Problem::internal)
}
