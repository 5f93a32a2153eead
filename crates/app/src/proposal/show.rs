//! One proposal as a person reads it: its frozen facts, what it changes, where it stands.

use countersign_core::caller::Caller;
use countersign_core::gitnest::message::AgentMessage;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::{ProposalId, UserId};
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_git::Repo;
use countersign_git::diff::{Bounds, Diff};
use countersign_git::history::CommitInfo;
use countersign_store::proposal::ProposalFile;
use countersign_store::proposal_queue::{self, QueueLine};
use countersign_store::{Tx, grant};

use super::queue::{Standing, row, standing};
use super::row::{Loaded, REVOKED};
use super::view::{Decision, Moved, MovedCommit, ProposalView, Reach};
use super::{body, decider};
use crate::App;
use crate::diff::convert;
use crate::gate::{self, Action, Effect, Found, Need, Permit};
use crate::git_problem::git_problem;

/// The action of looking at one.
pub const SHOW: Action =
    Action { name: "proposal.show", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How far the way to the neighbours in the queue is looked for.
const QUEUE: i64 = 1000;
/// How many commits, and how many paths, are listed of what moved a branch.
const MOVED_COMMITS: usize = 20;
const MOVED_PATHS: usize = 100;

/// One proposal, when the person may see it, with so much of its files.
pub async fn show(app: &App, caller: &Caller, id: ProposalId, reach: Reach) -> Result<ProposalView, Problem> {
    let workspace = caller.workspace;
    gate::through(
        app,
        caller,
        SHOW,
        move |t| {
            Box::pin(async move {
                let loaded = Loaded::get(t, id, workspace).await?;
                let repository = loaded.repository;
                Ok(Found::resource(loaded, repository, MemberRole::Viewer))
            })
        },
        |permit| run(app, permit, reach),
    )
    .await
}

/// What the store holds about it, read in one transaction.
struct Stored {
    loaded: Loaded,
    line: QueueLine,
    files: Vec<ProposalFile>,
    decider: Option<String>,
    waiting: Vec<ProposalId>,
}

async fn run(app: &App, permit: Permit<Loaded>, reach: Reach) -> Result<ProposalView, Problem> {
    let (id, workspace, person) = (permit.target().id, permit.workspace(), permit.person()?);
    let stored = app
        .db
        .read(move |t| {
            Box::pin(async move {
                // Read anew: all that a page says together was true together.
                let loaded = Loaded::get(t, id, Some(workspace)).await?;
                stored(t, loaded, person).await
            })
        })
        .await?;
    let standing = standing(&stored.line)?;
    let (seen, unreadable) = match look(app, &stored, reach).await? {
        Ok(seen) => (Some(seen), None),
        Err(why) => (None, Some(why)),
    };
    let (files, moved) = seen.map_or_else(Default::default, |seen| (convert::files(seen.diff), seen.moved));
    let (previous, next) = neighbours(&stored.waiting, id);
    let loaded = &stored.loaded;
    Ok(ProposalView {
        row: row(&stored.line, person)?,
        repository_id: loaded.repository,
        connection: loaded.connection,
        message: AgentMessage::parse(&loaded.row.message)
            .map_or_else(|_| loaded.row.message.clone(), |message| message.as_str().to_owned()),
        author: body::author(loaded).to_string(),
        base_oid: loaded.base.to_string(),
        files,
        unreadable,
        needs: standing.needs,
        refused: refused(&stored.line, &standing, person),
        guarded: standing.guarded,
        decision: decision(&stored),
        commit_oid: loaded.row.commit_oid.clone(),
        moved,
        previous,
        next,
    })
}

async fn stored(t: &Tx<'_>, loaded: Loaded, person: UserId) -> Result<Stored, Problem> {
    let line = proposal_queue::one(t, loaded.workspace, person, &loaded.row.id).await?;
    let line = line.ok_or_else(|| Problem::not_found("proposal"))?;
    let decider = match loaded.decider {
        Some(id) => grant::person(t, id).await?.map(|(name, _)| name),
        None => None,
    };
    let waiting = proposal_queue::waiting_ids(t, loaded.workspace, person, QUEUE).await?;
    let waiting = waiting.iter().map(|id| ProposalId::parse(id).map_err(Problem::internal));
    Ok(Stored {
        files: countersign_store::proposal::files(t, loaded.id).await?,
        waiting: waiting.collect::<Result<_, _>>()?,
        loaded,
        line,
        decider,
    })
}

/// What the repository says about it.
struct Seen {
    diff: Diff,
    moved: Option<Moved>,
}

/// What the repository says, or why it cannot be read. What passes is refused like everywhere.
async fn look(app: &App, stored: &Stored, reach: Reach) -> Result<Result<Seen, String>, Problem> {
    let bounds = match reach {
        Reach::Changes => Bounds::PROPOSAL,
        Reach::Whole => Bounds::PROPOSAL.whole(),
    };
    let files: Vec<(String, String)> =
        stored.files.iter().map(|file| (file.path.clone(), file.content.clone())).collect();
    let base = stored.loaded.base;
    let head = stored.loaded.row.branch_head.as_deref().map(Oid::parse).transpose();
    let head = head.map_err(Problem::internal)?;
    let look = move |repo: &Repo| {
        Ok(Seen {
            diff: repo.diff_of_files(base, &files, bounds)?,
            moved: head.map(|head| moved(repo, base, head)).transpose()?,
        })
    };
    match app.git.with(stored.loaded.repository, look).await {
        Ok(seen) => Ok(Ok(seen)),
        Err(error) if error.is_passing() => Err(git_problem(error)),
        Err(error) => {
            let problem = git_problem(error);
            tracing::error!(proposal = %stored.loaded.id, cause = ?problem.cause, "a proposal's repository cannot be read");
            Ok(Err(format!("{} {}", problem.message, problem.next_action_of_people())))
        }
    }
}

fn moved(repo: &Repo, base: Oid, head: Oid) -> countersign_git::Result<Moved> {
    let commits = repo.commits_between(base, head, MOVED_COMMITS)?;
    let paths = repo.paths_between(base, head, MOVED_PATHS)?;
    let commit = |commit: CommitInfo| MovedCommit {
        oid: commit.oid.to_string(),
        title: commit.title().to_owned(),
        author: commit.author.name,
        at: commit.committer.at,
    };
    Ok(Moved {
        head_oid: head.to_string(),
        commits: commits.items.into_iter().map(commit).collect(),
        paths: paths.items,
        more: commits.more || paths.more,
    })
}

/// Why this person may not decide it.
fn refused(line: &QueueLine, standing: &Standing, person: UserId) -> Option<String> {
    let another = line.other_decider.is_some() && line.owner_id == person.to_string();
    let problem = if another {
        decider::another_person()
    } else {
        decider::require(standing.role, standing.needs).err()?
    };
    Some(problem.message)
}

fn decision(stored: &Stored) -> Option<Decision> {
    let row = &stored.loaded.row;
    let at = row.decided_at.or(row.finished_at)?;
    Some(Decision {
        by: stored.decider.clone(),
        at: Timestamp::from_millis(at),
        reason: row.reason.as_deref().filter(|reason| !reason.is_empty()).map(words),
    })
}

/// A reason in words: one of them is a code.
fn words(reason: &str) -> String {
    if reason == REVOKED { "The connection was revoked.".to_owned() } else { reason.to_owned() }
}

/// The neighbours in the queue; of what waits no more, the first that does is next.
fn neighbours(waiting: &[ProposalId], id: ProposalId) -> (Option<ProposalId>, Option<ProposalId>) {
    match waiting.iter().position(|waiting| *waiting == id) {
        Some(at) => (at.checked_sub(1).and_then(|at| waiting.get(at)).copied(), waiting.get(at + 1).copied()),
        None => (None, waiting.first().copied()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn one_goes_through_the_queue_in_both_directions_and_back_into_it() {
        let id = |n| ProposalId::new(Uuid::from_u128(n));
        let waiting = [id(1), id(2), id(3)];
        assert_eq!(neighbours(&waiting, id(1)), (None, Some(id(2))));
        assert_eq!(neighbours(&waiting, id(2)), (Some(id(1)), Some(id(3))));
        assert_eq!(neighbours(&waiting, id(3)), (Some(id(2)), None));
        assert_eq!(neighbours(&waiting, id(9)), (None, Some(id(1))));
        assert_eq!(neighbours(&[], id(9)), (None, None));
    }
}
