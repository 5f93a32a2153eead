//! Who wrote each line of a file, as a person reads it.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_git::blame::{Blame, Blamed};
use countersign_git::tree::Page;
use countersign_git::{GitError, Repo};

use super::browse::{BrowseRequest, lines, no_path};
use super::heading::{self, Asked, Opened, Seen};
use super::view::{BlameBody, BlameRun, BlameView};
use crate::App;
use crate::gate::{Action, Permit};
use crate::git_problem::git_problem;

/// The action.
pub const BLAME: Action = heading::action("repository.blame");

/// How many lines are on a page.
pub const LINES: usize = 1_000;
/// How long a blame may take.
const TIME: Duration = Duration::from_secs(5);

/// Blames a page of a file.
pub async fn blame(
    app: &App,
    caller: &Caller,
    id: ResourceId,
    request: BrowseRequest,
) -> Result<BlameView, Problem> {
    heading::through(app, caller, BLAME, id, |permit| run(app, permit, request)).await
}

async fn run(app: &App, permit: Permit<Opened>, request: BrowseRequest) -> Result<BlameView, Problem> {
    let person = permit.person()?;
    let opened = permit.target().clone();
    let asked = Asked::read(request.reference.clone(), &opened)?;
    let look = move |repo: &Repo, stop: &AtomicBool| Seen::look(repo, &asked, stop);
    let seen = app.git.desk(person).within(opened.id, heading::LOOK_TIME, look).await.map_err(git_problem)?;
    let commit = seen.as_ref().and_then(Seen::oid);
    let (Some(seen), Some(commit)) = (seen, commit) else {
        return Err(heading::missing(request.reference.as_deref()));
    };
    let (path, page) = (request.path.clone(), Page { offset: request.offset, limit: LINES });
    let work = move |repo: &Repo, stop: &AtomicBool| repo.blame(commit, &path, page, stop);
    let body = match app.git.desk(person).within(opened.id, TIME, work).await {
        Ok(Blamed::NoFile) => return Err(no_path(&request.path, commit)),
        Ok(Blamed::Done(blame)) => done(app, *blame),
        Ok(Blamed::Binary) => BlameBody::Binary,
        Ok(Blamed::TooLarge) => BlameBody::TooLarge,
        Ok(Blamed::TooLong) => BlameBody::TooLong,
        // The file itself can be read: the page says so, and the log says what went wrong.
        Err(error @ (GitError::Damaged { .. } | GitError::Engine { .. })) => {
            tracing::warn!(%error, repository = %opened.id, path = %request.path, "a blame failed");
            BlameBody::Failed
        }
        Err(error) => return Err(git_problem(error)),
    };
    Ok(BlameView { heading: heading::heading(opened, seen), path: request.path, body })
}

fn done(app: &App, blame: Blame) -> BlameBody {
    let run = |stretch: &countersign_git::blame::Stretch| BlameRun {
        from: stretch.from,
        lines: stretch.lines,
        commit: stretch
            .commit
            .and_then(|oid| blame.commits.get(&oid))
            .map(|commit| heading::line(app, commit)),
    };
    let runs = blame.stretches.iter().map(run).collect();
    BlameBody::Done { runs, lines: lines(blame.text) }
}
