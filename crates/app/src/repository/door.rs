//! The door for git clients: who may clone and fetch, decided anew for each request.

use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;

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
                let workspace = workspace.ok_or_else(|| Problem::not_found("repository"))?;
                let found = countersign_store::repository::find_by_name(t, &slug, &name, workspace).await?;
                let id = found.ok_or_else(|| Problem::not_found("repository"))?;
                let id = ResourceId::parse(&id).map_err(Problem::internal)?;
                Ok(Found::resource(id, id, MemberRole::Viewer))
            })
        },
        |permit| async move { Ok(*permit.target()) },
    )
    .await
}
