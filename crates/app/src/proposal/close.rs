//! Close an open proposal without executing it: decline, withdraw, expire.

use countersign_core::caller::Caller;
use countersign_core::gitnest::message;
use countersign_core::id::{AuditId, ProposalId};
use countersign_core::problem::{Code, Problem};
use countersign_core::proposal::{self, ProposalState, Step};
use countersign_core::role::MemberRole;
use countersign_core::scope::{Scope, TokenScope};
use countersign_store::Saved;
use countersign_store::access::Asker;
use countersign_store::proposal::Closing;
use serde::Serialize;

use super::decider::{another_person, has_role};
use super::row::{Loaded, record_by_server};
use crate::App;
use crate::actor::Actor;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};

/// The action of a decline.
pub const DECLINE: Action =
    Action { name: "proposal.decline", need: Need::Person(TokenScope::Decide), effect: Effect::Set };
/// The action of a withdraw, by the connection that proposed.
pub const WITHDRAW: Action =
    Action { name: "withdraw_proposal", need: Need::Agent(Scope::Write), effect: Effect::Set };

/// How often a decision looks again when others move the same proposal.
const ROUNDS: usize = 8;
/// The longest reason, in characters.
pub const REASON_MAX: usize = countersign_core::limit::REASON;

/// The answer of a decline or withdraw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Closed {
    /// The proposal.
    pub proposal_id: ProposalId,
    /// Where it stands now.
    pub status: ProposalState,
    /// Whether it stood there before this call.
    pub replayed: bool,
}

/// Declines a proposal, with a reason that the agent can read. Declining again answers the same.
pub async fn decline(app: &App, caller: &Caller, id: ProposalId, reason: String) -> Result<Closed, Problem> {
    if reason.chars().count() > REASON_MAX {
        return Err(Problem::invalid("reason", format!("at most {REASON_MAX} characters")));
    }
    // A form sends CR LF.
    let reason = reason.replace("\r\n", "\n");
    if reason.chars().any(message::is_control) {
        return Err(Problem::invalid("reason", "text without NUL, control or bidirectional characters"));
    }
    let workspace = caller.workspace;
    gate::through(
        app,
        caller,
        DECLINE,
        move |t| {
            Box::pin(async move {
                let loaded = Loaded::get(t, id, workspace).await?;
                Ok(Found::resource(id, loaded.repository, MemberRole::Viewer))
            })
        },
        |permit| {
            close(
                app,
                permit,
                ProposalState::Declined,
                Some(reason.trim().to_owned()).filter(|text| !text.is_empty()),
            )
        },
    )
    .await
}

/// Takes a proposal of the calling connection back. Withdrawing again answers the same.
pub async fn withdraw(app: &App, caller: &Caller, id: ProposalId) -> Result<Closed, Problem> {
    let (workspace, connection) = (caller.workspace, caller.connection());
    gate::through(
        app,
        caller,
        WITHDRAW,
        move |t| {
            Box::pin(async move {
                let loaded = Loaded::get(t, id, workspace).await?;
                if Some(loaded.connection) != connection {
                    return Err(Problem::not_found("proposal"));
                }
                Ok(Found::own(id))
            })
        },
        |permit| close(app, permit, ProposalState::Withdrawn, None),
    )
    .await
}

async fn close(
    app: &App,
    permit: Permit<ProposalId>,
    to: ProposalState,
    reason: Option<String>,
) -> Result<Closed, Problem> {
    let id = *permit.target();
    let decline = to == ProposalState::Declined;
    let mut done = false;
    for _ in 0..ROUNDS {
        let loaded = app.db.read(move |t| Box::pin(Loaded::get(t, id, None))).await?;
        let step = if decline { proposal::decline } else { proposal::withdraw };
        match step(loaded.state, loaded.expires_at, app.now()) {
            Step::Begin => done |= save(app, &permit, &loaded, to, reason.clone()).await?,
            Step::Expire => expire(app, &loaded).await?,
            Step::Replay => {
                if !done {
                    app.journal.later(permit.record(Outcome::Done).detail("replayed", true)).await;
                }
                return Ok(Closed { proposal_id: id, status: loaded.state, replayed: !done });
            }
            Step::Resume => return Err(loaded.refusal(Code::ProposalNotPending)),
            Step::Refuse(code) => return Err(loaded.refusal(code)),
        }
    }
    Err(Problem::new(Code::RepositoryBusy, "Others move this proposal at the same moment."))
}

async fn save(
    app: &App,
    permit: &Permit<ProposalId>,
    loaded: &Loaded,
    to: ProposalState,
    reason: Option<String>,
) -> Result<bool, Problem> {
    let (person, at, row) = (permit.person()?, app.now(), loaded.clone());
    let record = permit
        .record(Outcome::Done)
        .on(Some(loaded.repository))
        .detail("proposal_id", loaded.row.id.as_str());
    let (audit, kind) = (AuditId::new(app.uuid()), format!("proposal.{}", to.as_str()));
    let (workspace, actor) = (loaded.workspace, Actor::of(permit.caller()));
    permit
        .write(app, move |t| {
            Box::pin(async move {
                if to == ProposalState::Declined {
                    let paths = countersign_store::proposal::paths(t, row.id).await?;
                    let repository = countersign_store::repository::find(t, row.repository)
                        .await?
                        .ok_or_else(|| Problem::not_found("repository"))?;
                    let agents = countersign_store::connection::find(t, row.connection, workspace).await?;
                    let own = agents.is_some_and(|connection| connection.user_id == person.to_string());
                    if own && repository.other_decider.is_some() {
                        return Err(another_person());
                    }
                    let asker = Asker { person, connection: None, workspace };
                    has_role(t, &row, asker, (&repository, &paths)).await?;
                }
                let closing =
                    Closing { to, by: Some(person), reason: reason.as_deref(), branch_head: None, at };
                match countersign_store::proposal::close(t, row.id, row.row.attempt, closing).await? {
                    Saved::Done(()) => {}
                    Saved::Changed | Saved::Missing => return Ok(false),
                }
                record.append(t, audit).await?;
                row.tell(t, &kind, actor, at).await?;
                Ok::<_, Problem>(true)
            })
        })
        .await
}

/// Moves a proposal that ran out of time to `expired`, unless others moved it first.
pub(super) async fn expire(app: &App, loaded: &Loaded) -> Result<(), Problem> {
    let (row, at, app_in) = (loaded.clone(), app.now(), app.clone());
    app.db
        .write(move |t| {
            Box::pin(async move {
                let closing =
                    Closing { to: ProposalState::Expired, by: None, reason: None, branch_head: None, at };
                if countersign_store::proposal::close(t, row.id, row.row.attempt, closing).await?
                    == Saved::Done(())
                {
                    record_by_server(t, &app_in, &row, "proposal.expire", at).await?;
                    row.tell(t, "proposal.expired", Actor::Server, at).await?;
                }
                Ok::<_, Problem>(())
            })
        })
        .await
}

/// Expires whatever is due; a timer wakes it. An idle server only reads.
pub async fn expire_due(app: &App) -> Result<usize, Problem> {
    let now = app.now();
    let due = app
        .db
        .read(move |t| {
            Box::pin(async move { Ok::<_, Problem>(countersign_store::proposal::due(t, now).await?) })
        })
        .await?;
    for (id, _) in &due {
        let id = ProposalId::parse(id).map_err(Problem::internal)?;
        let loaded = app.db.read(move |t| Box::pin(Loaded::get(t, id, None))).await?;
        if loaded.state.is_open() {
            expire(app, &loaded).await?;
        }
    }
    Ok(due.len())
}
