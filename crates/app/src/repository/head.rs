//! The default branch: the row says which, and HEAD follows.

use countersign_core::gitnest::branch::BranchName;
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_git::Repo;
use countersign_git::lock::{Hold, RepoLock};

use super::open;
use crate::App;
use crate::git_problem::git_problem;

/// Takes the repository alone, where `branch` exists: nobody deletes it until the row names it.
pub(super) async fn hold(app: &App, id: ResourceId, branch: &BranchName) -> Result<RepoLock, Problem> {
    let lock = app.git.lock(id, Hold::Exclusive).await.map_err(git_problem)?;
    let wanted = branch.clone();
    let tip = app.git.with_refs(id, move |refs| refs.tip(&wanted)).await.map_err(git_problem)?;
    tip.map(|_| lock).ok_or_else(|| {
        Problem::new(Code::BranchNotFound, format!("There is no branch {branch} in this repository."))
            .fact("branch", branch.as_str())
    })
}

/// Lets HEAD name the branch that the row names; whoever was killed between the two is followed by the next
/// start or round of upkeep.
pub(crate) async fn ensure(app: &App, id: ResourceId) -> Result<(), Problem> {
    let row = app.db.read(move |t| Box::pin(async move { open::ready(t, id).await })).await?;
    let branch =
        BranchName::parse(&row.default_branch).map_err(|rule| Problem::internal(rule.to_string()))?;
    let head = app.git.with(id, Repo::head_branch).await.map_err(git_problem)?;
    if head.as_ref() == Some(&branch) {
        return Ok(());
    }
    let lock = app.git.lock(id, Hold::Push).await.map_err(git_problem)?;
    point(app, &lock, &branch).await
}

/// Lets HEAD name `branch`.
pub(super) async fn point(app: &App, lock: &RepoLock, branch: &BranchName) -> Result<(), Problem> {
    app.git.point_head(lock, branch).await.map_err(git_problem)
}
