//! Taking an invitation back.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, InvitationId};
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;
use countersign_store::{Saved, Wake, invitation};

use super::TOPIC;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};

const WITHDRAW: Action =
    Action { name: "invitation.withdraw", need: Need::Person(TokenScope::Api), effect: Effect::Destroy };

/// Ends a link at once, for owners of the workspace. Done before, or after somebody came by it, nothing changes.
pub async fn withdraw(app: &App, caller: &Caller, id: InvitationId) -> Result<(), Problem> {
    through(
        app,
        caller,
        WITHDRAW,
        move |_| Box::pin(async move { Ok(Found::workspace(id)) }),
        |permit| save(app, permit),
    )
    .await
}

async fn save(app: &App, permit: Permit<InvitationId>) -> Result<(), Problem> {
    let (id, workspace, at) = (*permit.target(), permit.workspace(), permit.at());
    let record = permit.record(Outcome::Done).detail("invitation", id.to_string());
    let record_id = AuditId::new(app.uuid());
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            match invitation::withdraw(t, id, workspace, at).await? {
                Saved::Done(()) => {
                    record.append(t, record_id).await?;
                    t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
                }
                Saved::Changed => {}
                Saved::Missing => return Err(Problem::not_found("invitation")),
            }
            Ok::<_, Problem>(())
        })
    });
    saved.await
}
