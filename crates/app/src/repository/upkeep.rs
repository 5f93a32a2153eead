//! Upkeep, by a timer: refs and objects packed and pruned where that is due and nobody works.

use std::time::Duration;

use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_git::GitError;
use countersign_git::lock::{Hold, ObjectsLock};
use countersign_git::maintain::{KEPT, Maintained};

use super::head::ensure;
use super::ids::every;
use crate::App;

/// How long upkeep waits for a lock. Whoever comes after it for the refs waits too, so it gives up soon and comes again.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often what was left just now is looked at, and how long between: six seconds, after which it has lain for five.
const LOOKS: u32 = 60;
const LOOK: Duration = Duration::from_millis(100);

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
    if !app.git.exists(id) {
        return Ok(None);
    }
    let due = app.git.due(id, app.now()).await?;
    // Objects before refs, and neither kept for longer than its part takes.
    let objects = if due.takes_objects() { alone_with_objects(app, id).await? } else { None };
    if objects.is_none() && !due.beside_pushes().any() {
        return Ok(None);
    }
    let lock = app.git.lock_within(id, Hold::Exclusive, PATIENCE).await?;
    // Another server may have done it while this one waited.
    let due = app.git.due(id, app.now()).await?;
    app.git.maintain((&lock, objects.as_ref()), &*app.refs, (due, KEPT), app.now()).await.map(Some)
}

/// The objects, with what killed pushes left there swept; nothing while a push is on its way, however slowly: what
/// takes them comes again at the next turn, and keeps no push waiting until then.
async fn alone_with_objects(app: &App, id: ResourceId) -> Result<Option<ObjectsLock>, GitError> {
    match app.git.lock_objects(id, PATIENCE).await {
        Ok(objects) => Ok(Some(objects)),
        Err(error) if error.is_passing() => {
            tracing::info!(repository = %id, "a push is on its way; nothing is thrown away until the next turn");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// At start: sweeps what killed pushes left, for as long as none is on its way. What was left just now is looked at
/// until it has lain; whoever pushes meanwhile does not wait for that.
pub(crate) async fn sweep_quarantines(app: &App, id: ResourceId) -> Result<(), GitError> {
    for _ in 0..LOOKS {
        let Some(objects) = alone_with_objects(app, id).await? else { break };
        let swept = app.git.sweep_quarantines(&objects).await?;
        drop(objects);
        if swept.young == 0 {
            break;
        }
        tokio::time::sleep(LOOK).await;
    }
    Ok(())
}
