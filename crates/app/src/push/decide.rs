//! Decide: a push is looked through while nobody waits for it, and decided over under the lock of the refs.

use std::time::Duration;

use countersign_core::caller::Caller;
use countersign_core::problem::{Code, Problem};
use countersign_git::lock::{PATIENCE, PushLock};

use super::accept::{Accepted, Asked, ask, look};
use crate::App;
use crate::fault::Point;
use crate::git_problem::git_problem;

/// How long the decision itself may take: others wait for the refs meanwhile.
const UNDER_LOCK: Duration = Duration::from_secs(5);

/// Decides over a push to the repository that [`super::open()`] opened for this caller, whose git has all of it and
/// has moved nothing. All of it passes, or nothing.
///
/// It is looked through first, for as long as that takes. Then the push takes the refs, and everything that must be so
/// when they move is asked under that lock: role, token, rules, where each ref is. What was looked through is looked
/// through again there only where refs have moved so that it may come out differently. A push that may be made keeps
/// the refs, and its git with it; one that is refused gives them back at once.
pub async fn decide(app: &App, caller: &Caller, lock: &PushLock, asked: Asked) -> Result<Accepted, Problem> {
    let (id, asked) = (lock.repository(), &asked);
    app.faults.at(Point::AskPush);
    let looked = ask(app, caller, id, |permit| look(app, permit, asked, None)).await?;
    app.faults.at(Point::TakeRefs);
    let taken = lock.take_refs(PATIENCE).await.map_err(|error| {
        if error.is_passing() { busy("Others held the refs of this repository") } else { git_problem(error) }
    })?;
    app.faults.at(Point::DecidePush);
    let decision = ask(app, caller, id, |permit| look(app, permit, asked, Some(&looked)));
    let decided = tokio::time::timeout(UNDER_LOCK, decision).await;
    let decided = decided.map_err(|_| busy("Refs moved while this push was looked through"))??;
    taken.keep();
    Ok(decided.accepted)
}

fn busy(why: &str) -> Problem {
    Problem::new(Code::RepositoryBusy, format!("{why}, so nothing was changed."))
        .next("Push again in a few seconds.")
}
