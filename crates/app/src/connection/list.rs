//! The connections that a person may see: their own and, for an owner of the workspace, everybody's.

use std::collections::HashMap;

use countersign_core::caller::Caller;
use countersign_core::id::ConnectionId;
use countersign_core::page::{Cursor, Part, Slice};
use countersign_core::problem::Problem;
use countersign_core::role::WorkspaceRole;
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::connection_page::{self, Listed, Whose};
use countersign_store::{ByTime, workspace};

use super::view::{AssistantKind, ConnectedView, ConnectionRow, ConnectionState};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};
use crate::page::newest_first;

const LIST: Action =
    Action { name: "connection.list", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How many a page shows; revoked ones are the oldest to fall off.
const MOST: i64 = 200;

/// The page of all connections that the caller may see, the latest on top.
pub async fn list(app: &App, caller: &Caller) -> Result<ConnectedView, Problem> {
    gate::through(app, caller, LIST, |_| Box::pin(async { Ok(Found::own(())) }), |permit| all(app, permit))
        .await
}

/// A part of the same list, behind a connection.
pub async fn page(app: &App, caller: &Caller, part: Part) -> Result<Slice<ConnectionRow>, Problem> {
    gate::through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::own((newest_first(&part)?, part))) }),
        |permit| async move {
            let (permit, (behind, part)) = permit.with(());
            let rows = rows(app, &permit, behind, part.rows()).await?;
            Ok(part.cut(rows, |row| Cursor::new(&row.created_at.millis(), &row.id)))
        },
    )
    .await
}

async fn all(app: &App, permit: Permit<()>) -> Result<ConnectedView, Problem> {
    let connections = rows(app, &permit, ByTime::newest(), MOST).await?;
    Ok(ConnectedView { server_address: app.settings.resource(), connections })
}

async fn rows(
    app: &App,
    permit: &Permit<()>,
    behind: ByTime,
    limit: i64,
) -> Result<Vec<ConnectionRow>, Problem> {
    let (workspace, person) = (permit.workspace(), permit.person()?);
    let (lines, names) = app
        .db
        .read(move |t| {
            Box::pin(async move {
                let whose = match workspace::find_role(t, workspace, person).await? {
                    Some(WorkspaceRole::Owner) => Whose::Everybodys,
                    Some(WorkspaceRole::Member) | None => Whose::Of(person),
                };
                let lines = connection_page::list(t, workspace, whose, behind, limit).await?;
                Ok::<_, Problem>((lines, connection_page::project_names(t, workspace).await?))
            })
        })
        .await?;
    let mut projects: HashMap<String, Vec<String>> = HashMap::new();
    for (connection, name) in names {
        projects.entry(connection).or_default().push(name);
    }
    lines
        .into_iter()
        .map(|line| {
            let names = projects.remove(&line.connection.id).unwrap_or_default();
            row(line, names)
        })
        .collect()
}

/// One line of the list.
pub(super) fn row(line: Listed, projects: Vec<String>) -> Result<ConnectionRow, Problem> {
    let Listed { connection, owner, waiting } = line;
    Ok(ConnectionRow {
        id: ConnectionId::parse(&connection.id).map_err(Problem::internal)?,
        name: connection.name,
        kind: AssistantKind::parse(&connection.kind).unwrap_or(AssistantKind::Other),
        state: ConnectionState::parse(&connection.status)
            .ok_or_else(|| Problem::internal("a connection's state in the store is not ours"))?,
        client: connection.client_name,
        owner,
        projects,
        created_at: Timestamp::from_millis(connection.created_at),
        used_at: connection.used_at.map(Timestamp::from_millis),
        waiting: usize::try_from(waiting).unwrap_or_default(),
    })
}
