//! Approve: a person countersigns, and the change lands once.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ProposalId};
use countersign_core::problem::{Code, Problem};
use countersign_core::proposal::{self, ProposalState, Step};
use countersign_core::role::{MemberRole, effective};
use countersign_core::scope::TokenScope;
use countersign_git::lock::Hold;
use countersign_store::access::{self, Asker};
use countersign_store::proposal::{Closing, ProposalFile};
use countersign_store::repository::Repository;
use countersign_store::{Saved, Tx};
use serde::Serialize;

use super::body;
use super::decider::{self, Protection, guarded};
use super::execute;
use super::row::Loaded;
use crate::App;
use crate::actor::Actor;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};
use crate::git_problem::git_problem;

/// The action of an approve.
pub const APPROVE: Action =
    Action { name: "proposal.approve", need: Need::Person(TokenScope::Decide), effect: Effect::Set };

/// How often a decision looks again when others move the same proposal.
const ROUNDS: usize = 16;

/// The answer of an approve that landed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// The proposal.
    pub proposal_id: ProposalId,
    /// `executed`.
    pub status: ProposalState,
    /// The commit that landed.
    pub commit: Option<String>,
    /// Where.
    pub branch: String,
    /// Whether it had landed before this call.
    pub replayed: bool,
}

/// Approves a proposal. A second approve gives the first one's answer, `replayed`; what moved meanwhile, was
/// declined, withdrawn or ran out of time is refused with its own code.
///
/// It goes on to its end in a task of its own: who closes the page after the click has decided all the same.
pub async fn approve(app: &App, caller: &Caller, id: ProposalId) -> Result<Decided, Problem> {
    let (app, caller) = (app.clone(), caller.clone());
    tokio::spawn(async move { pass(&app, &caller, id).await }).await.map_err(Problem::internal)?
}

async fn pass(app: &App, caller: &Caller, id: ProposalId) -> Result<Decided, Problem> {
    let workspace = caller.workspace;
    gate::through(
        app,
        caller,
        APPROVE,
        move |t| {
            Box::pin(async move {
                let loaded = Loaded::get(t, id, workspace).await?;
                Ok(Found::resource(id, loaded.repository, MemberRole::Viewer))
            })
        },
        |permit| run(app, permit),
    )
    .await
}

async fn run(app: &App, permit: Permit<ProposalId>) -> Result<Decided, Problem> {
    let id = *permit.target();
    let mut begun = false;
    for _ in 0..ROUNDS {
        let loaded = app.db.glance(move |t| Box::pin(Loaded::get(t, id, None))).await?;
        if begun && loaded.state == ProposalState::Failed {
            return Err(failed(&loaded));
        }
        match proposal::approve(loaded.state, loaded.expires_at, app.now()) {
            Step::Begin => begun |= begin(app, &permit, &loaded).await?,
            Step::Resume => execute::settle(app, id, loaded.repository).await?,
            Step::Expire => super::close::expire(app, &loaded).await?,
            Step::Replay => {
                if !begun && loaded.state == ProposalState::Executed {
                    app.journal.later(permit.record(Outcome::Done).detail("replayed", true)).await;
                }
                return answer(&loaded, begun);
            }
            Step::Refuse(code) => return Err(loaded.refusal(code)),
        }
    }
    Err(Problem::new(Code::RepositoryBusy, "Others move this proposal at the same moment."))
}

fn answer(loaded: &Loaded, begun: bool) -> Result<Decided, Problem> {
    if loaded.state == ProposalState::Stale {
        return Err(Problem::new(
            Code::ProposalStale,
            format!("{} moved since this was reviewed; nothing was changed.", loaded.row.branch),
        )
        .fact("base_oid", loaded.row.base_oid.as_str())
        .fact("branch_head", loaded.row.branch_head.clone())
        .fact("status", loaded.state.as_str())
        .fact("replayed", !begun));
    }
    Ok(Decided {
        proposal_id: loaded.id,
        status: loaded.state,
        commit: loaded.row.commit_oid.clone(),
        branch: loaded.row.branch.clone(),
        replayed: !begun,
    })
}

fn failed(loaded: &Loaded) -> Problem {
    let reason = loaded.row.reason.clone().unwrap_or_default();
    Problem::new(Code::ProposalFailed, format!("It could not be carried out: {reason}"))
        .fact("status", loaded.state.as_str())
        .fact("reason", reason)
}

/// Checks what an approval must still meet and sets the row to `executing`. `false` when it was moved meanwhile.
async fn begin(app: &App, permit: &Permit<ProposalId>, loaded: &Loaded) -> Result<bool, Problem> {
    let (id, attempt, workspace) = (loaded.id, loaded.row.attempt, loaded.workspace);
    let files = app
        .db
        .read(move |t| {
            Box::pin(async move { Ok::<_, Problem>(countersign_store::proposal::files(t, id).await?) })
        })
        .await?;
    still_valid(app, permit, loaded, &files).await?;
    // A repository that cannot be locked now is refused while nothing is decided.
    drop(app.git.lock(loaded.repository, Hold::Approval).await.map_err(git_problem)?);
    let person = permit.person()?;
    let person_asks = Asker { person, connection: None, workspace };
    let record =
        permit.record(Outcome::Done).detail("proposal_id", id.to_string()).detail("attempt", attempt + 1);
    let (audit, now, row) = (AuditId::new(app.uuid()), app.now(), loaded.clone());
    app.faults.at(crate::fault::Point::Begin);
    app.db
        .write(move |t| {
            Box::pin(async move {
                may_decide(t, &row, person_asks, &files).await?;
                match countersign_store::proposal::begin(t, id, attempt, person, now).await? {
                    Saved::Done(_) => {}
                    Saved::Changed | Saved::Missing => return Ok(false),
                }
                record.append(t, audit).await?;
                row.tell(t, "proposal.approved", Actor::Person(person), now).await?;
                Ok::<_, Problem>(true)
            })
        })
        .await
}

/// What needs no lock: paths and content are frozen, and so is the base.
async fn still_valid(
    app: &App,
    permit: &Permit<ProposalId>,
    loaded: &Loaded,
    files: &[ProposalFile],
) -> Result<(), Problem> {
    let Err(problem) = body::check(app, loaded.repository, loaded.base, body::files_of(files)).await else {
        return Ok(());
    };
    if problem.code != Code::ProposalInvalid {
        return Err(problem);
    }
    let (id, attempt, by, at) = (loaded.id, loaded.row.attempt, permit.person()?, app.now());
    let (row, reason) = (loaded.clone(), problem.message.clone());
    app.db
        .write(move |t| {
            Box::pin(async move {
                let closing = Closing { to: ProposalState::Failed, by: Some(by), reason: Some(&reason), at };
                if countersign_store::proposal::close(t, id, attempt, closing).await? == Saved::Done(()) {
                    row.tell(t, "proposal.failed", Actor::Server, at).await?;
                }
                Ok::<_, Problem>(())
            })
        })
        .await?;
    Err(problem)
}

/// Connection, project and decider as they are now, in the transaction of the decision.
async fn may_decide(
    t: &Tx<'_>,
    loaded: &Loaded,
    decider: Asker,
    files: &[ProposalFile],
) -> Result<(), Problem> {
    let connection = countersign_store::connection::find(t, loaded.connection, loaded.workspace)
        .await?
        .ok_or_else(|| Problem::internal("a proposal without its connection"))?;
    if connection.status != "active" {
        return Err(Problem::new(
            Code::ConnectionRevoked,
            "The connection that proposed this is not active.",
        ));
    }
    let owner = countersign_core::id::UserId::parse(&connection.user_id).map_err(Problem::internal)?;
    let agent = Asker { person: owner, connection: Some(loaded.connection), workspace: loaded.workspace };
    let granted =
        access::on_resource(t, agent, loaded.repository).await?.is_some_and(|access| access.granted);
    if !granted {
        return Err(Problem::new(
            Code::NotInProject,
            "The repository is not in a project of that connection now.",
        )
        .next("Add the project to the connection or switch GitNest on, then approve again."));
    }
    let repository = countersign_store::repository::find(t, loaded.repository)
        .await?
        .ok_or_else(|| Problem::not_found("repository"))?;
    if repository.other_decider.is_some() && decider.person == owner {
        return Err(decider::another_person());
    }
    has_role(t, loaded, decider, (&repository, files)).await
}

/// Whether the person has the role that this branch and these paths ask for.
pub(super) async fn has_role(
    t: &Tx<'_>,
    loaded: &Loaded,
    person: Asker,
    (repository, files): (&Repository, &[ProposalFile]),
) -> Result<(), Problem> {
    let access = access::on_resource(t, person, loaded.repository)
        .await?
        .ok_or_else(|| Problem::not_found("proposal"))?;
    let role = effective(access.workspace_role, access.project_role, access.repository_role);
    let protection =
        Protection { branches: &repository.protected_branches, paths: &repository.protected_paths };
    let guarded = guarded(protection, &loaded.row.branch, files.iter().map(|file| file.path.as_str()))?;
    decider::require(role, decider::needs(&guarded))
}
