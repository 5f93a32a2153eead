//! The commits of a branch, or those that changed one path, as a person reads them.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_git::Repo;
use countersign_git::log::Log;
use countersign_git::tree::Page;

use super::browse::BrowseRequest;
use super::heading::{self, Asked, Opened, Seen};
use super::view::HistoryView;
use crate::App;
use crate::gate::{Action, Permit};
use crate::git_problem::git_problem;

/// The action.
pub const HISTORY: Action = heading::action("repository.history");

/// How many commits are on a page.
pub const COMMITS: usize = 50;
/// How many are asked for at most.
const MOST_COMMITS: usize = 100;
/// How far a person can turn pages; whoever wants more has a clone.
const DEEPEST: usize = 20_000;
/// How long a history is walked.
const TIME: Duration = Duration::from_secs(4);

/// A page of the history of a path; the offset counts commits.
pub async fn history(
    app: &App,
    caller: &Caller,
    id: ResourceId,
    request: BrowseRequest,
) -> Result<HistoryView, Problem> {
    heading::through(app, caller, HISTORY, id, |permit| run(app, permit, request)).await
}

async fn run(app: &App, permit: Permit<Opened>, request: BrowseRequest) -> Result<HistoryView, Problem> {
    let person = permit.person()?;
    let opened = permit.target().clone();
    let asked = Asked::read(request.reference.clone(), &opened)?;
    let offset = request.offset.min(DEEPEST);
    let (path, page) =
        (request.path.clone(), Page { offset, limit: request.limit.unwrap_or(COMMITS).min(MOST_COMMITS) });
    let look = move |repo: &Repo, stop: &AtomicBool| {
        let Some(seen) = Seen::look(repo, &asked, stop)? else { return Ok(None) };
        let log = match seen.oid() {
            Some(commit) => repo.log(commit, &path, page, stop)?,
            None => Log::default(),
        };
        Ok(Some((seen, log)))
    };
    let found = app.git.desk(person).within(opened.id, TIME, look).await.map_err(git_problem)?;
    let (seen, log) = found.ok_or_else(|| heading::missing(request.reference.as_deref()))?;
    let (more, cut) = rest(offset, &log);
    Ok(HistoryView {
        heading: heading::heading(opened, seen),
        path: request.path,
        commits: log.items.iter().map(|commit| heading::line(app, commit)).collect(),
        offset,
        more,
        cut,
    })
}

/// Whether there is a next page, and whether the history goes on beyond what pages show.
const fn rest(offset: usize, log: &Log) -> (bool, bool) {
    let deepest = offset >= DEEPEST;
    (log.more && !deepest, log.cut || (log.more && deepest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_page_has_no_next_one_and_says_that_the_history_goes_on() {
        let log = |more, cut| Log { more, cut, ..Log::default() };
        assert_eq!(rest(0, &log(true, false)), (true, false));
        assert_eq!(rest(DEEPEST - 1, &log(true, false)), (true, false));
        assert_eq!(rest(DEEPEST, &log(true, false)), (false, true));
        assert_eq!(rest(DEEPEST, &log(false, false)), (false, false));
        assert_eq!(rest(50, &log(false, true)), (false, true));
    }
}
