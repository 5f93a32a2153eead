//! Execute a file import: once, whatever happens. Each line may be the last one before a crash.
//!
//! One function walks from whatever stands in the row and in the refs: the first run, the second
//! approve and the restart take the same way. Before every call that leaves the process stands a
//! fault point, at which a test may kill it.

use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::{ProposalId, ResourceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::proposal::ProposalState;
use countersign_git::lock::{Hold, RepoLock};
use countersign_git::objects::NewTree;
use countersign_git::refs::RefName;
use countersign_git::transaction::{RefEdit, RefOutcome};
use countersign_store::Saved;
use countersign_store::proposal::End;

use super::body;
use super::finish::{Finish, Finished, finish};
use super::row::{Loaded, record_by_server};
use crate::App;
use crate::actor::Actor;
use crate::fault::Point;
use crate::git_problem::git_problem;
use crate::push::Sight;

/// How often the refs are looked at again before it is a failure.
const ROUNDS: usize = 16;

/// How long a push that moved the branch before this may take to tell of it, and how often it is waited for.
const PAUSE: Duration = Duration::from_millis(100);
const PAUSES: usize = 5;

/// What the refs say of a proposal that is being executed.
#[derive(Clone, Debug)]
struct Seen {
    tip: Option<Oid>,
    marker: Option<Oid>,
    /// The commit of this proposal that is the tip or in its history.
    landed: Option<Oid>,
    /// The first parent of the marker's commit.
    marker_parent: Option<Oid>,
}

/// What one walk came to.
#[derive(Debug)]
enum Walk {
    /// The row is not `executing` any more.
    Settled,
    /// A ref stayed locked for as long as git waits, which is a second, or a move before this one stays untold.
    Locked,
}

/// Brings a proposal that is `executing` to its end, by whoever it was begun.
pub(super) async fn settle(app: &App, id: ProposalId, repository: ResourceId) -> Result<(), Problem> {
    app.faults.at(Point::TakeLock);
    let lock = app.git.lock(repository, Hold::Approval).await.map_err(git_problem)?;
    settle_under(app, lock, id, None).await
}

/// [`settle`], under a lock that was taken before; who has just begun still has the `tree` of the commit.
pub(super) async fn settle_under(
    app: &App,
    lock: RepoLock,
    id: ProposalId,
    tree: Option<NewTree>,
) -> Result<(), Problem> {
    let repository = lock.repository();
    let walked = walk(app, &lock, id, tree).await;
    drop(lock);
    match walked {
        Ok(Walk::Settled) => Ok(()),
        Ok(Walk::Locked) => settle_alone(app, id, repository, None).await,
        Err(problem) => settle_alone(app, id, repository, Some(problem)).await,
    }
}

/// Under the exclusive lock: sweep what crashes left, walk once more, and give up only with proof that
/// nothing landed and nobody else can still land it.
pub(super) async fn settle_alone(
    app: &App,
    id: ProposalId,
    repository: ResourceId,
    trouble: Option<Problem>,
) -> Result<(), Problem> {
    app.faults.at(Point::TakeAlone);
    let lock = app.git.lock(repository, Hold::Exclusive).await.map_err(git_problem)?;
    app.faults.at(Point::Sweep);
    app.git.sweep(&lock).await.map_err(git_problem)?;
    let problem = match walk(app, &lock, id, None).await {
        Ok(Walk::Settled) => return Ok(()),
        Ok(Walk::Locked) => {
            trouble.unwrap_or_else(|| Problem::new(Code::RepositoryBusy, "A ref stayed locked."))
        }
        Err(problem) => problem,
    };
    tracing::warn!(proposal = %id, code = problem.code.as_str(), message = %problem, cause = ?problem.cause, "an execution gives up");
    give_up(app, id, &problem).await
}

async fn walk(
    app: &App,
    lock: &RepoLock,
    id: ProposalId,
    mut tree: Option<NewTree>,
) -> Result<Walk, Problem> {
    let mut waited = 0;
    for _ in 0..ROUNDS {
        // The row is read under the lock: whoever held it before may have ended this.
        app.faults.at(Point::ReadRow);
        let loaded = app.db.glance(move |t| Box::pin(Loaded::get(t, id, None))).await?;
        if loaded.state != ProposalState::Executing {
            return Ok(Walk::Settled);
        }
        let seen = look(app, &loaded).await?;
        match step(app, lock, &loaded, (&seen, tree.take())).await? {
            Next::End(end) => {
                let alone = lock.hold() == Hold::Exclusive;
                let tip = if alone { Sight::Still(seen.tip) } else { Sight::Moving };
                match finish(app, &loaded, end, tip).await? {
                    Finished::Yes => return Ok(Walk::Settled),
                    Finished::Elsewhere => {}
                    Finished::Behind if waited == PAUSES => return Ok(Walk::Locked),
                    Finished::Behind => {
                        waited += 1;
                        tokio::time::sleep(PAUSE).await;
                    }
                }
            }
            Next::Moved(RefOutcome::Locked) => return Ok(Walk::Locked),
            Next::Moved(RefOutcome::Done | RefOutcome::Conflict) => {}
        }
    }
    Err(Problem::new(Code::RepositoryBusy, "The branch does not come to rest."))
}

/// Reads the branch tip first, then the marker: the marker is made before the branch moves, so a moved tip
/// implies a visible marker.
async fn look(app: &App, loaded: &Loaded) -> Result<Seen, Problem> {
    let stored = loaded.row.commit_oid.as_deref().map(Oid::parse).transpose().map_err(Problem::internal)?;
    app.faults.at(Point::ReadRefs);
    let found =
        app.git.glance(loaded.repository, |refs| Ok((refs.tip(&loaded.branch)?, refs.marker(loaded.id)?)));
    let (tip, marker) = found.map_err(git_problem)?;
    let mut seen = Seen { tip, marker, landed: None, marker_parent: None };
    // The commit is a child of the base, and so in no history that ends there.
    let untouched = tip == Some(loaded.base) && marker.is_none();
    let Some(tip) = tip.filter(|_| !untouched) else { return Ok(seen) };
    app.faults.at(Point::ReadHistory);
    let looked = app.git.with(loaded.repository, move |repo| {
        for commit in [stored, marker].into_iter().flatten() {
            if repo.is_ancestor(commit, tip)? {
                seen.landed = Some(commit);
                break;
            }
        }
        seen.marker_parent = marker.map(|marker| repo.first_parent(marker)).transpose()?.flatten();
        Ok(seen)
    });
    looked.await.map_err(git_problem)
}

/// What one look leads to.
enum Next {
    /// The end is known.
    End(Finish),
    /// Refs were moved, or could not be.
    Moved(RefOutcome),
}

async fn step(
    app: &App,
    lock: &RepoLock,
    loaded: &Loaded,
    (seen, tree): (&Seen, Option<NewTree>),
) -> Result<Next, Problem> {
    if let Some(commit) = seen.landed {
        // Whoever moved the refs may have been killed before they were on the disk.
        app.faults.at(Point::SyncRefs);
        app.git.sync(loaded.repository).await.map_err(git_problem)?;
        return Ok(Next::End(Finish::Executed(commit)));
    }
    let marker = RefName::Marker(loaded.id);
    let branch = RefName::Branch(loaded.branch.clone());
    match (seen.marker, seen.tip) {
        // A crash between the two refs: roll the branch forward to the marker.
        (Some(commit), Some(tip)) if seen.marker_parent == Some(tip) => {
            let edits = [
                RefEdit::Verify { name: marker, old: commit },
                RefEdit::Update { name: branch, new: commit, old: tip },
            ];
            app.faults.at(Point::RollForward);
            let outcome = app.refs.commit(lock, &edits).await.map_err(git_problem)?;
            Ok(Next::Moved(outcome))
        }
        // The branch went elsewhere: the marker goes, and the tip just read is what it is stale against.
        (Some(commit), tip) => {
            let mut edits: Vec<RefEdit> =
                tip.map(|old| RefEdit::Verify { name: branch, old }).into_iter().collect();
            edits.push(RefEdit::Delete { name: marker, old: commit });
            app.faults.at(Point::DropMarker);
            let outcome = app.refs.commit(lock, &edits).await.map_err(git_problem)?;
            Ok(match outcome {
                RefOutcome::Done => Next::End(Finish::Stale(tip)),
                RefOutcome::Conflict | RefOutcome::Locked => Next::Moved(outcome),
            })
        }
        (None, tip) if tip != Some(loaded.base) => Ok(Next::End(Finish::Stale(tip))),
        (None, _) => land(app, lock, loaded, tree).await,
    }
}

/// Writes the objects, then moves marker and branch in one transaction, whose git starts meanwhile.
async fn land(app: &App, lock: &RepoLock, loaded: &Loaded, tree: Option<NewTree>) -> Result<Next, Problem> {
    let bytes = loaded.row.commit_bytes.clone();
    let none = || Problem::new(Code::ProposalInvalid, "Its commit was not kept. Approve it again.");
    let bytes = bytes.ok_or_else(none)?;
    app.faults.at(Point::StartGit);
    let transaction = app.refs.start(lock).map_err(git_problem)?;
    let tree = if let Some(tree) = tree {
        tree
    } else {
        app.faults.at(Point::MakeTree);
        body::tree(app, loaded).await?
    };
    app.faults.at(Point::WriteObjects);
    let commit = body::write(app, loaded, (bytes, tree)).await?;
    let edits = vec![
        RefEdit::Create { name: RefName::Marker(loaded.id), new: commit },
        RefEdit::Update { name: RefName::Branch(loaded.branch.clone()), new: commit, old: loaded.base },
    ];
    app.faults.at(Point::MoveRefs);
    let outcome = transaction.commit(edits).await.map_err(git_problem)?;
    Ok(match outcome {
        RefOutcome::Done => Next::End(Finish::Executed(commit)),
        RefOutcome::Conflict | RefOutcome::Locked => Next::Moved(outcome),
    })
}

/// Called under the exclusive lock alone, after a walk found neither marker nor landed commit nor a way on.
async fn give_up(app: &App, id: ProposalId, problem: &Problem) -> Result<(), Problem> {
    app.faults.at(Point::Recheck);
    let loaded = app.db.read(move |t| Box::pin(Loaded::get(t, id, None))).await?;
    let seen = look(app, &loaded).await?;
    if loaded.state != ProposalState::Executing || seen.marker.is_some() || seen.landed.is_some() {
        return Err(Problem::new(
            Code::RepositoryBusy,
            "This is not finished yet; approve again to finish it.",
        ));
    }
    let (row, now, reason, app_in) = (loaded, app.now(), problem.message.clone(), app.clone());
    app.faults.at(Point::GiveUp);
    app.db
        .write(move |t| {
            Box::pin(async move {
                let end = End::Failed { reason: &reason };
                if countersign_store::proposal::finish(t, row.id, row.row.attempt, end, now).await?
                    == Saved::Done(())
                {
                    record_by_server(t, &app_in, &row, "proposal.failed", now).await?;
                    row.tell(t, "proposal.failed", Actor::Server, now).await?;
                }
                Ok::<_, Problem>(())
            })
        })
        .await
}
