//! Timers: they only wake what is idempotent, and find nothing to do most of the time.

use std::time::Duration;

use countersign_app::App;
use countersign_core::problem::Problem;
use tokio::time::{Interval, MissedTickBehavior};

/// How often open proposals are looked at for their end, unfinished approvals and imports for their own, and refs for
/// moves that nobody told of.
const EVERY: Duration = Duration::from_mins(1);

/// How often audit records are sealed: for so long, and the moment that the store takes, one can be changed unnoticed.
const SEAL: Duration = Duration::from_secs(5);

/// How often repositories are looked after. It may take long, and keeps nobody else waiting.
const UPKEEP: Duration = Duration::from_mins(10);

/// Expires what is due, finishes what another server left, looks after repositories and seals the audit log; ends when the task is aborted.
pub(crate) async fn keep(app: App) {
    tokio::join!(each_minute(&app), upkeep(&app), seals(&app));
}

async fn each_minute(app: &App) {
    let mut ticks = ticks(EVERY).await;
    loop {
        ticks.tick().await;
        tell("proposals could not be expired", countersign_app::proposal::expire_due(app).await);
        tell("unfinished approvals stay so", countersign_app::proposal::recover::resume(app).await);
        tell("unfinished imports stay so", countersign_app::repository::import::resume(app).await);
        tell("refs could not be compared", countersign_app::push::recover(app).await);
        tell("dead handles and tokens stay", countersign_app::oauth::sweep(app).await);
    }
}

async fn upkeep(app: &App) {
    let mut ticks = ticks(UPKEEP).await;
    loop {
        ticks.tick().await;
        tell("repositories could not be looked after", countersign_app::repository::upkeep(app).await);
    }
}

async fn seals(app: &App) {
    let mut ticks = ticks(SEAL).await;
    loop {
        ticks.tick().await;
        tell("audit records wait for their seal", countersign_app::audit::seal(app).await);
    }
}

/// The first tick comes after one period: the start of the server does the same by itself.
async fn ticks(period: Duration) -> Interval {
    let mut ticks = tokio::time::interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    ticks
}

pub(crate) fn tell<T>(what: &str, done: Result<T, Problem>) {
    if let Err(problem) = done {
        tracing::warn!(%problem, "{what}; the next round tries again");
    }
}
