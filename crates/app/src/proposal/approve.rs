//! Approve: a person countersigns, and the change lands once.

use countersign_core::caller::Caller;
use countersign_core::id::ProposalId;
use countersign_core::problem::{Code, Problem};
use countersign_core::proposal::{self, ProposalState, Step};
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use serde::Serialize;

use super::begin::{Begun, begin};
use super::execute;
use super::row::Loaded;
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};

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
                let repository = loaded.repository;
                Ok(Found::resource(loaded, repository, MemberRole::Viewer))
            })
        },
        |permit| decide(app, permit),
    )
    .await
}

/// Moves the proposal until it is decided.
async fn decide(app: &App, permit: Permit<Loaded>) -> Result<Decided, Problem> {
    let id = permit.target().id;
    let (permit, mut loaded) = permit.with(id);
    let mut begun = false;
    for _ in 0..ROUNDS {
        match proposal::approve(loaded.state, loaded.expires_at, app.now()) {
            Step::Begin => match begin(app, &permit, &loaded).await? {
                Begun::Executing(lock, tree) => {
                    begun = true;
                    execute::settle_under(app, lock, id, Some(tree)).await?;
                }
                Begun::Stale => begun = true,
                Begun::Moved => {}
            },
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
        loaded = app.db.glance(move |t| Box::pin(Loaded::get(t, id, None))).await?;
        if begun && loaded.state == ProposalState::Failed {
            return Err(failed(&loaded));
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
