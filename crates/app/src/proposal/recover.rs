//! Recovery: before serving, and by a timer, what was begun and cut short is brought to its end.

use countersign_core::id::{ProposalId, ResourceId};
use countersign_core::problem::Problem;
use countersign_git::lock::Hold;

use super::execute;
use crate::App;
use crate::repository::{ensure_head, every, sweep_quarantines};

/// At start: what killed pushes left is swept where no push is on its way; under each repository's exclusive lock stale
/// lock files are swept, and every `executing` row is resolved. A repository that stays busy because another server
/// works in it is left to that server and to the timer.
pub async fn recover(app: &App) -> Result<(), Problem> {
    for repository in every(app).await? {
        if !app.git.exists(repository) {
            continue;
        }
        sweep_quarantines(app, repository).await.map_err(crate::git_problem::git_problem)?;
        match app.git.lock(repository, Hold::Exclusive).await {
            Ok(lock) => {
                let swept = app.git.sweep(&lock).await.map_err(crate::git_problem::git_problem)?;
                tracing::debug!(%repository, ?swept, "looked for what a crash left");
            }
            Err(error) if error.is_passing() => {
                tracing::info!(%repository, "busy under another server; not swept");
            }
            Err(error) => return Err(crate::git_problem::git_problem(error)),
        }
        if let Err(problem) = ensure_head(app, repository).await {
            tracing::warn!(%repository, %problem, "HEAD may name another branch than the row");
        }
        settle_all(app, repository).await;
    }
    Ok(())
}

/// By a timer: rows whose server died while another one lives.
pub async fn resume(app: &App) -> Result<(), Problem> {
    for repository in every(app).await? {
        settle_all(app, repository).await;
    }
    Ok(())
}

/// Finishes what was begun in one repository; what fails is left to the next time.
pub(crate) async fn settle_all(app: &App, repository: ResourceId) {
    let open = app
        .db
        .read(move |t| {
            Box::pin(
                async move { Ok::<_, Problem>(countersign_store::proposal::executing(t, repository).await?) },
            )
        })
        .await;
    let ids = match open {
        Ok(ids) => ids,
        Err(problem) => {
            tracing::error!(%repository, %problem, "cannot look for unfinished approvals");
            return;
        }
    };
    for id in ids.iter().filter_map(|id| ProposalId::parse(id).ok()) {
        if let Err(problem) = execute::settle(app, id, repository).await {
            tracing::error!(proposal = %id, %problem, "an approval is not finished; the next approve tries again");
        }
    }
}
