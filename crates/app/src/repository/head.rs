//! The default branch: the row says which, and HEAD follows.

use countersign_core::gitnest::branch::BranchName;
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_git::Repo;
use countersign_git::lock::Hold;

use super::open;
use crate::App;
use crate::git_problem::git_problem;

/// Refuses a branch that does not exist.
pub(super) async fn require(app: &App, id: ResourceId, branch: &BranchName) -> Result<(), Problem> {
    let wanted = branch.clone();
    let tip = app.git.with_refs(id, move |refs| refs.tip(&wanted)).await.map_err(git_problem)?;
    tip.map(drop).ok_or_else(|| {
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
    app.git.point_head(&lock, &branch).await.map_err(git_problem)
}
