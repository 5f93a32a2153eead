//! Making a person an owner of the workspace, and a member again.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, UserId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::WorkspaceRole;
use countersign_core::scope::TokenScope;
use countersign_store::{Saved, Wake, workspace};

use super::TOPIC;
use super::owner::{hold_as_owner, leave_an_owner};
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};
use crate::session::require_proof;

const SET_ROLE: Action =
    Action { name: "workspace.role", need: Need::Person(TokenScope::Decide), effect: Effect::Set };

/// Gives a person of the workspace another place in it; for owners who prove who they are, since an owner may do
/// everything. The last owner stays one. Done before, nothing changes.
pub async fn set_role(app: &App, caller: &Caller, user: UserId, role: WorkspaceRole) -> Result<(), Problem> {
    through(
        app,
        caller,
        SET_ROLE,
        move |_| Box::pin(async move { Ok(Found::workspace((user, role))) }),
        |permit| save(app, permit),
    )
    .await
}

async fn save(app: &App, permit: Permit<(UserId, WorkspaceRole)>) -> Result<(), Problem> {
    require_proof(permit.caller(), permit.at())?;
    let ((user, role), workspace, by) = (*permit.target(), permit.workspace(), permit.person()?);
    let record =
        permit.record(Outcome::Done).detail("person", user.to_string()).detail("role", role.as_str());
    let record_id = AuditId::new(app.uuid());
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            hold_as_owner(t, workspace, by).await?;
            let seen = workspace::find_role(t, workspace, user).await?;
            let seen = seen.ok_or_else(|| Problem::not_found("person"))?;
            if seen == role {
                return Ok(());
            }
            if seen == WorkspaceRole::Owner {
                leave_an_owner(t, workspace, user).await?;
            }
            match workspace::save_role(t, (workspace, user), seen, role).await? {
                Saved::Done(()) => {
                    record.detail("from", seen.as_str()).append(t, record_id).await?;
                    t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
                }
                Saved::Changed => {
                    let message = "Somebody else changed this role meanwhile.";
                    return Err(Problem::new(Code::VersionConflict, message)
                        .next("Look at the present role, then repeat the step."));
                }
                Saved::Missing => return Err(Problem::not_found("person")),
            }
            Ok::<_, Problem>(())
        })
    });
    saved.await
}
