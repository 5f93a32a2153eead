//! Revoke a connection: tokens, waiting proposals and the connection itself end in one transaction.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ConnectionId, ResourceId, UserId};
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::connection::Withdrawn;
use countersign_store::event::{self, NewEvent};
use countersign_store::{Saved, Tx, Wake, connection, oauth_family};
use serde_json::json;

use super::TOPIC;
use super::own::Seen;
use crate::App;
use crate::actor::Actor;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit, Record};

const REVOKE: Action =
    Action { name: "connection.revoke", need: Need::Person(TokenScope::Api), effect: Effect::Destroy };
/// What is recorded for each proposal that goes with the connection.
const WITHDRAW: Action = Action { name: "proposal.withdraw", need: Need::Browser, effect: Effect::Set };

/// What a revoke did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revoked {
    /// How many proposals it withdrew.
    pub withdrawn: usize,
    /// Whether it was revoked before this call.
    pub replayed: bool,
}

/// Revokes a connection for good; for its person or an owner of the workspace. The agent's next call is
/// answered with `connection_revoked`. Revoking it again changes nothing.
pub async fn revoke(app: &App, caller: &Caller, id: ConnectionId) -> Result<Revoked, Problem> {
    let asker = caller.clone();
    gate::through(
        app,
        caller,
        REVOKE,
        move |t| Box::pin(async move { Ok(Found::own(Seen::get(t, &asker, id).await?.id)) }),
        |permit| save(app, permit),
    )
    .await
}

async fn save(app: &App, permit: Permit<ConnectionId>) -> Result<Revoked, Problem> {
    let (app, id, now) = (app.clone(), *permit.target(), permit.at());
    let person = permit.person()?;
    let (asked, edge) = (permit.clone(), app.clone());
    asked
        .write(&edge, move |t| {
            Box::pin(async move {
                match connection::revoke(t, id, now).await? {
                    Saved::Done(()) => {}
                    Saved::Changed => return Ok(Revoked { withdrawn: 0, replayed: true }),
                    Saved::Missing => return Err(Problem::not_found("connection")),
                }
                let families = oauth_family::revoke_of(t, id, now).await?;
                let gone = connection::withdraw_open(t, id, person, now).await?;
                permit
                    .record(Outcome::Done)
                    .detail("connection", id.to_string())
                    .detail("families", families)
                    .detail("withdrawn", gone.len())
                    .append(t, AuditId::new(app.uuid()))
                    .await?;
                for proposal in &gone {
                    record(&permit, proposal)?.append(t, AuditId::new(app.uuid())).await?;
                }
                let workspace = permit.workspace().to_string();
                t.wake(Wake { workspace: workspace.clone(), topic: TOPIC.to_owned() });
                if !gone.is_empty() {
                    t.wake(Wake { workspace, topic: crate::proposal::TOPIC.to_owned() });
                }
                tell(t, &gone, person, now).await?;
                Ok::<_, Problem>(Revoked { withdrawn: gone.len(), replayed: false })
            })
        })
        .await
}

fn record(permit: &Permit<ConnectionId>, (proposal, repository, ..): &Withdrawn) -> Result<Record, Problem> {
    let repository = ResourceId::parse(repository).map_err(Problem::internal)?;
    let record = Record::new(permit.caller(), WITHDRAW, permit.at(), Outcome::Done);
    Ok(record
        .on(Some(repository))
        .detail("proposal_id", proposal.as_str())
        .detail("reason", "connection_revoked"))
}

/// The events come last, in the order of their repositories: each takes the lock of a log.
async fn tell(t: &Tx<'_>, gone: &[Withdrawn], person: UserId, at: Timestamp) -> Result<(), Problem> {
    for (proposal, repository, title, branch) in gone {
        let event = NewEvent {
            kind: "proposal.withdrawn".to_owned(),
            at,
            actor: Actor::Person(person).json(),
            summary: format!("proposal withdrawn: {title}"),
            refs: json!({ "proposal_id": proposal, "branch": branch }).to_string(),
        };
        event::append(t, ResourceId::parse(repository).map_err(Problem::internal)?, event).await?;
    }
    Ok(())
}
