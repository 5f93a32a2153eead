//! The door for somebody who wants to push, before anything of the push is read.

use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;

use crate::App;
use crate::gate::{self, Action, Effect, Found, Need};
use crate::git_problem::git_problem;
use crate::repository::door;

/// The action of a push.
pub const PUSH: Action =
    Action { name: "git.push", need: Need::Person(TokenScope::RepoWrite), effect: Effect::Write };

/// The repository at `/git/<slug>/<name>.git`, when the caller may push to it.
pub async fn open(app: &App, caller: &Caller, slug: &str, name: &str) -> Result<ResourceId, Problem> {
    let (slug, name, workspace) = (slug.to_owned(), name.to_owned(), caller.workspace);
    gate::through(
        app,
        caller,
        PUSH,
        move |t| {
            Box::pin(async move {
                let id = door::at(t, workspace, &slug, &name).await?;
                Ok(Found::resource(id, id, MemberRole::Editor))
            })
        },
        |permit| async move { Ok(*permit.target()) },
    )
    .await
}

/// How many bytes a push to the repository may bring before it is over its quota.
pub async fn room(app: &App, id: ResourceId) -> Result<u64, Problem> {
    let size = app.git.size(id).await.map_err(git_problem)?;
    Ok(app.settings.repository_quota.saturating_sub(size))
}

/// Refuses when the repository takes more of the disk than it may.
pub(super) async fn has_room(app: &App, id: ResourceId) -> Result<(), Problem> {
    let (size, quota) = (app.git.size(id).await.map_err(git_problem)?, app.settings.repository_quota);
    if size <= quota {
        return Ok(());
    }
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    Err(Problem::new(
        Code::RepositoryFull,
        format!("With this the repository takes {} MiB, and it may take {}.", mib(size), mib(quota)),
    )
    .fact("size_bytes", size)
    .fact("quota_bytes", quota))
}
