//! Taking a member off a project.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ProjectId, UserId};
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_store::project::remove_member;
use countersign_store::{Removed, Wake};

use super::TOPIC;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};

const REMOVE: Action =
    Action { name: "member.remove", need: Need::Person(TokenScope::Api), effect: Effect::Destroy };

/// Takes a person off a project; for its owners. What the person, their connections and tokens may do in it ends at the
/// very next call; a role of their own on one of its repositories stays until it is taken away there.
pub async fn remove(app: &App, caller: &Caller, project: ProjectId, user: UserId) -> Result<(), Problem> {
    through(
        app,
        caller,
        REMOVE,
        move |_| Box::pin(async move { Ok(Found::project((project, user), project, MemberRole::Owner)) }),
        |permit| save(app, permit),
    )
    .await
}

async fn save(app: &App, permit: Permit<(ProjectId, UserId)>) -> Result<(), Problem> {
    let ((project, user), workspace) = (*permit.target(), permit.workspace());
    let record = permit
        .record(Outcome::Done)
        .detail("project", project.to_string())
        .detail("person", user.to_string());
    let record_id = AuditId::new(app.uuid());
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            match remove_member(t, project, user).await? {
                Removed::One => record.append(t, record_id).await?,
                Removed::Nothing => return Err(Problem::not_found("member")),
            }
            t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
            Ok::<_, Problem>(())
        })
    });
    saved.await
}
