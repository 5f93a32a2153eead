//! Make a pending connection: named beforehand, it waits for a client.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ConnectionId, UserId, WorkspaceId};
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::Wake;
use countersign_store::connection::Connection;

use super::TOPIC;
use super::view::{AssistantKind, ConnectionState};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};
use crate::name::Name;

const CREATE: Action =
    Action { name: "connection.create", need: Need::Person(TokenScope::Api), effect: Effect::Write };

/// A connection to be made.
#[derive(Clone, Debug)]
pub struct NewConnection {
    /// Which assistant it is for.
    pub kind: AssistantKind,
    /// Its display name.
    pub name: String,
}

/// Makes a connection of the caller that waits for a client. It has no project and no scope yet.
pub async fn create(app: &App, caller: &Caller, new: NewConnection) -> Result<ConnectionId, Problem> {
    gate::through(
        app,
        caller,
        CREATE,
        move |_| Box::pin(async move { Ok(Found::own((new.kind, Name::new("name", &new.name)?))) }),
        |permit| save(app, permit),
    )
    .await
}

async fn save(app: &App, permit: Permit<(AssistantKind, Name)>) -> Result<ConnectionId, Problem> {
    let (id, record_id) = (ConnectionId::new(app.uuid()), AuditId::new(app.uuid()));
    let (kind, name) = permit.target();
    let owner = (permit.workspace(), permit.person()?);
    let row = fresh_row(id, owner, (*kind, name), permit.at());
    let record =
        permit.record(Outcome::Done).detail("connection", row.id.as_str()).detail("name", name.as_str());
    permit
        .write(app, move |t| {
            Box::pin(async move {
                row.insert(t).await?;
                record.append(t, record_id).await?;
                t.wake(Wake { workspace: row.workspace_id, topic: TOPIC.to_owned() });
                Ok::<_, Problem>(id)
            })
        })
        .await
}

/// The row of a connection that waits for a client.
pub(crate) fn fresh_row(
    id: ConnectionId,
    (workspace, person): (WorkspaceId, UserId),
    (kind, name): (AssistantKind, &Name),
    now: Timestamp,
) -> Connection {
    Connection {
        id: id.to_string(),
        workspace_id: workspace.to_string(),
        user_id: person.to_string(),
        kind: kind.as_str().to_owned(),
        name: name.as_str().to_owned(),
        status: ConnectionState::Pending.as_str().to_owned(),
        client_id: None,
        client_name: None,
        scopes: String::new(),
        switched_off: "[]".to_owned(),
        created_at: now.millis(),
        activated_at: None,
        used_at: None,
        revoked_at: None,
        version: 1,
    }
}

/// Which assistant a client seems to be, by the name that it gave itself; for the icon alone.
pub(crate) fn kind_of(client_name: &str) -> AssistantKind {
    let name = client_name.to_ascii_lowercase();
    if name.contains("claude code") {
        AssistantKind::ClaudeCode
    } else if name.contains("codex") {
        AssistantKind::Codex
    } else if name.contains("gemini") {
        AssistantKind::Gemini
    } else if name.contains("visual studio code") || name.contains("vs code") {
        AssistantKind::VsCode
    } else if name.contains("cursor") {
        AssistantKind::Cursor
    } else {
        AssistantKind::Other
    }
}
