//! Upkeep, by a timer: refs and objects packed and pruned where that is due and nobody works.

use std::time::Duration;

use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_git::GitError;
use countersign_git::lock::Hold;
use countersign_git::maintain::{KEPT, Maintained};

use super::head::ensure;
use super::ids::every;
use crate::App;

/// How long upkeep waits for a repository. Whoever comes after it waits too, so it gives up soon and comes again.
const PATIENCE: Duration = Duration::from_secs(2);

/// Looks after each repository that needs it. One that is busy, or fails, does not keep the others waiting.
pub async fn upkeep(app: &App) -> Result<(), Problem> {
    for id in every(app).await? {
        if app.git.exists(id)
            && let Err(problem) = ensure(app, id).await
        {
            tracing::warn!(repository = %id, %problem, "HEAD may name another branch than the row");
        }
        match tend(app, id).await {
            Ok(None) => {}
            Ok(Some(maintained)) => tracing::info!(repository = %id, ?maintained, "looked after"),
            Err(error) if error.is_passing() => {
                tracing::info!(repository = %id, "busy; it is looked after next time");
            }
            Err(error) => {
                tracing::error!(repository = %id, %error, "cannot be looked after; run `git fsck` in its folder");
            }
        }
    }
    Ok(())
}

async fn tend(app: &App, id: ResourceId) -> Result<Option<Maintained>, GitError> {
    if !app.git.exists(id) || !app.git.due(id, app.now()).await?.any() {
        return Ok(None);
    }
    let lock = app.git.lock_within(id, Hold::Exclusive, PATIENCE).await?;
    // Another server may have done it while this one waited.
    let due = app.git.due(id, app.now()).await?;
    app.git.maintain(&lock, &*app.refs, (due, KEPT), app.now()).await.map(Some)
}
