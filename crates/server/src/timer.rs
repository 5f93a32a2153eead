//! Timers: they only wake what is idempotent, and find nothing to do most of the time.

use std::time::Duration;

use countersign_app::App;

/// How often open proposals are looked at for their end, unfinished approvals for their own, and refs for moves that
/// nobody told of.
const EVERY: Duration = Duration::from_mins(1);

/// Every how many of these repositories are looked after.
const UPKEEP: u64 = 10;

/// Expires what is due and finishes what another server left; ends when the task is aborted.
pub(crate) async fn keep(app: App) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    ticks.tick().await;
    for tick in 1_u64.. {
        ticks.tick().await;
        if let Err(problem) = countersign_app::proposal::expire_due(&app).await {
            tracing::warn!(%problem, "proposals could not be expired; the next minute tries again");
        }
        if let Err(problem) = countersign_app::proposal::recover::resume(&app).await {
            tracing::warn!(%problem, "unfinished approvals could not be looked at; the next minute tries again");
        }
        if let Err(problem) = countersign_app::push::recover(&app).await {
            tracing::warn!(%problem, "refs could not be compared; the next minute tries again");
        }
        if let Err(problem) = countersign_app::oauth::sweep(&app).await {
            tracing::warn!(%problem, "dead handles and tokens stay; the next minute tries again");
        }
        if tick % UPKEEP == 0
            && let Err(problem) = countersign_app::repository::upkeep(&app).await
        {
            tracing::warn!(%problem, "repositories could not be looked after; the next round tries again");
        }
    }
}
