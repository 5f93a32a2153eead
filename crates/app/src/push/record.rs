//! Record: git has moved refs, and the log of the repository learns of it before the client does.

use std::time::Duration;

use countersign_core::gitnest::push::RefUpdate;
use countersign_core::id::AuditId;
use countersign_core::problem::{Code, Problem};

use super::accept::Accepted;
use super::tell::{Story, Told, tell};
use crate::App;
use crate::actor::Actor;
use crate::fault::Point;
use crate::gate::Outcome;
use crate::git_problem::git_problem;

/// How often the move before this one is waited for, and how long each time: who made it is about to tell of it.
const ROUNDS: u32 = 60;
const PAUSE: Duration = Duration::from_millis(50);

/// What became of the story of a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The log tells of it.
    Done,
    /// A move before it is not told yet and will not be by who made it: [`super::settle`] has to tell both.
    Behind,
}

/// Syncs what git moved, and appends an event for each ref of an accepted push that git says it moved, in their
/// order. Call it while the push holds the refs: nobody sweeps then.
pub async fn record(app: &App, accepted: &Accepted, moved: &[RefUpdate]) -> Result<Recorded, Problem> {
    let (repository, actor) = (*accepted.permit.target(), Actor::of(accepted.permit.caller()));
    app.faults.at(Point::SyncPush);
    app.git.sync(repository).await.map_err(git_problem)?;
    let stories: Vec<Story> = accepted
        .wanted
        .iter()
        .filter(|wanted| moved.contains(&wanted.update))
        .map(|wanted| Story::of(wanted, actor))
        .collect();
    if stories.is_empty() {
        return Ok(Recorded::Done);
    }
    for round in 0..ROUNDS {
        if round > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        match once(app, accepted, stories.clone()).await {
            Ok(Told::Yes) => return Ok(Recorded::Done),
            Ok(Told::Behind) => {}
            Err(problem) if problem.code == Code::RepositoryBusy => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(Recorded::Behind)
}

async fn once(app: &App, accepted: &Accepted, stories: Vec<Story>) -> Result<Told, Problem> {
    let permit = &accepted.permit;
    let (place, audit, at) = ((*permit.target(), permit.workspace()), AuditId::new(app.uuid()), app.now());
    let facts: Vec<_> = stories.iter().map(Story::facts).collect();
    let record = permit.record(Outcome::Done).detail("refs", facts);
    app.faults.at(Point::RecordPush);
    app.db
        .write(move |t| {
            Box::pin(async move {
                let told = tell(t, place, &stories, at).await?;
                if told == Told::Yes {
                    record.append(t, audit).await?;
                }
                Ok::<_, Problem>(told)
            })
        })
        .await
}
