//! Add a project to a connection, or take one off: both are felt at the very next call.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ConnectionId, ProjectId};
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_store::{Inserted, Saved, Wake, connection};

use super::TOPIC;
use super::own::{Seen, revoked};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};

// What gives an agent more takes who may also countersign; what takes from it does not.
const ADD: Action =
    Action { name: "connection.add_project", need: Need::Person(TokenScope::Decide), effect: Effect::Set };
const REMOVE: Action =
    Action { name: "connection.remove_project", need: Need::Person(TokenScope::Api), effect: Effect::Set };

/// Adds a project in which the connection's person is viewer or more. Adding it again changes nothing.
pub async fn add_project(
    app: &App,
    caller: &Caller,
    id: ConnectionId,
    project: ProjectId,
) -> Result<(), Problem> {
    let asker = caller.clone();
    gate::through(
        app,
        caller,
        ADD,
        move |t| {
            Box::pin(async move {
                Seen::get(t, &asker, id).await?.managed()?;
                Ok(Found::project((id, project), project, MemberRole::Viewer))
            })
        },
        |permit| save(app, permit, Wish::On),
    )
    .await
}

/// Takes a project off, whatever role is left of its person there. Taking it off again changes nothing.
pub async fn remove_project(
    app: &App,
    caller: &Caller,
    id: ConnectionId,
    project: ProjectId,
) -> Result<(), Problem> {
    let asker = caller.clone();
    gate::through(
        app,
        caller,
        REMOVE,
        move |t| {
            Box::pin(async move {
                Seen::get(t, &asker, id).await?.managed()?;
                Ok(Found::own((id, project)))
            })
        },
        |permit| save(app, permit, Wish::Off),
    )
    .await
}

#[derive(Clone, Copy)]
enum Wish {
    On,
    Off,
}

async fn save(app: &App, permit: Permit<(ConnectionId, ProjectId)>, wish: Wish) -> Result<(), Problem> {
    let ((id, project), workspace, now) = (*permit.target(), permit.workspace(), permit.at());
    let record = permit
        .record(Outcome::Done)
        .detail("connection", id.to_string())
        .detail("project", project.to_string());
    let record_id = AuditId::new(app.uuid());
    permit
        .write(app, move |t| {
            Box::pin(async move {
                match connection::raise(t, id).await? {
                    Saved::Done(()) => {}
                    Saved::Changed => return Err(revoked()),
                    Saved::Missing => return Err(Problem::not_found("connection")),
                }
                match wish {
                    Wish::On => match connection::add_project(t, id, project, now).await? {
                        Inserted::New | Inserted::Existed => {}
                    },
                    Wish::Off => match connection::remove_project(t, id, project).await? {
                        Saved::Done(()) | Saved::Changed | Saved::Missing => {}
                    },
                }
                record.append(t, record_id).await?;
                t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
                Ok::<_, Problem>(())
            })
        })
        .await
}
