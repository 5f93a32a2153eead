//! Shutting a person out, and letting them in again.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::TokenScope;
use countersign_store::{Saved, Tx, Wake, person, session, token, workspace};

use super::TOPIC;
use super::owner::hold_as_owner;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};
use crate::session::require_proof;

const DISABLE: Action =
    Action { name: "person.disable", need: Need::Person(TokenScope::Decide), effect: Effect::Set };
const ENABLE: Action =
    Action { name: "person.enable", need: Need::Person(TokenScope::Decide), effect: Effect::Set };

/// Shuts a person out: their sessions and tokens end at once and for good, they cannot sign in, and their connections are
/// refused until they are let in again. For owners who prove who they are, of every workspace that the person is in.
/// Nobody shuts themselves out. Done before, nothing changes.
pub async fn disable(app: &App, caller: &Caller, user: UserId) -> Result<(), Problem> {
    through(
        app,
        caller,
        DISABLE,
        move |_| Box::pin(async move { Ok(Found::workspace(user)) }),
        |permit| async move {
            if permit.person()? == user {
                let message = "Nobody shuts themselves out.";
                return Err(Problem::new(Code::RoleRequired, message).next("Ask another owner."));
            }
            change(app, permit, Turn::Out).await
        },
    )
    .await
}

/// Lets a person in again, by a way to sign in that they still have. Sessions and tokens that ended stay over.
pub async fn enable(app: &App, caller: &Caller, user: UserId) -> Result<(), Problem> {
    through(
        app,
        caller,
        ENABLE,
        move |_| Box::pin(async move { Ok(Found::workspace(user)) }),
        |permit| change(app, permit, Turn::In),
    )
    .await
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Out,
    In,
}

async fn change(app: &App, permit: Permit<UserId>, turn: Turn) -> Result<(), Problem> {
    require_proof(permit.caller(), permit.at())?;
    let (user, workspace, by, now) = (*permit.target(), permit.workspace(), permit.person()?, permit.at());
    let record = permit.record(Outcome::Done).detail("person", user.to_string());
    let record_id = AuditId::new(app.uuid());
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            may_turn(t, (workspace, by), user).await?;
            let saved = match turn {
                Turn::Out => person::disable(t, user, now).await?,
                Turn::In => person::enable(t, user).await?,
            };
            let record = match (saved, turn) {
                (Saved::Done(()), Turn::Out) => {
                    let sessions = session::revoke_all(t, user, now).await?;
                    let tokens = token::revoke_all(t, user, now).await?;
                    Some(record.detail("sessions", sessions).detail("tokens", tokens))
                }
                (Saved::Done(()), Turn::In) => Some(record),
                (Saved::Changed, _) => None,
                (Saved::Missing, _) => return Err(Problem::not_found("person")),
            };
            if let Some(record) = record {
                record.append(t, record_id).await?;
                t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
            }
            Ok::<_, Problem>(())
        })
    });
    saved.await
}

/// The owner is one at this moment, here and wherever the person is.
async fn may_turn(t: &Tx<'_>, (workspace, by): (WorkspaceId, UserId), user: UserId) -> Result<(), Problem> {
    hold_as_owner(t, workspace, by).await?;
    if workspace::find_role(t, workspace, user).await?.is_none() {
        return Err(Problem::not_found("person"));
    }
    if workspace::has_place_beyond(t, user, by).await? {
        return Err(Problem::new(Code::RoleRequired, "This person is also in a workspace of somebody else.")
            .next("Ask an owner of every workspace that the person is in.")
            .fact("role", "owner"));
    }
    Ok(())
}
