//! One connection with its projects, what could be added, and its recent activity.

use countersign_core::caller::Caller;
use countersign_core::id::{ConnectionId, ProjectId};
use countersign_core::problem::Problem;
use countersign_core::role::{MemberRole, WorkspaceRole, effective};
use countersign_core::scope::{Scopes, TokenScope};
use countersign_core::time::Timestamp;
use countersign_store::connection_page::{self, Activity, OnConnection};

use super::list::row;
use super::own::{Seen, Standing};
use super::switch::stored;
use super::view::{
    ActivityRow, AddableProject, ConnectionView, GrantedProject, Outcome, ToolRow, ToolboxView,
};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};

const READ: Action =
    Action { name: "connection.read", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How many calls the recent activity shows.
const ACTIVITY: i64 = 50;

/// One connection, for its person or an owner of the workspace.
pub async fn read(app: &App, caller: &Caller, id: ConnectionId) -> Result<ConnectionView, Problem> {
    let asker = caller.clone();
    gate::through(
        app,
        caller,
        READ,
        move |t| Box::pin(async move { Ok(Found::own(Seen::get(t, &asker, id).await?)) }),
        |permit| view(app, permit),
    )
    .await
}

async fn view(app: &App, permit: Permit<Seen>) -> Result<ConnectionView, Problem> {
    let seen = permit.target().clone();
    let (id, is_own) = (seen.id, seen.standing == Standing::Person);
    // The records of calls follow within a second; a person who looks sees them all.
    app.journal.flush().await;
    let (projects, addable, activity) = app
        .db
        .read(move |t| {
            Box::pin(async move {
                let projects = connection_page::projects(t, id).await?;
                let addable = if is_own { connection_page::addable(t, id).await? } else { Vec::new() };
                Ok::<_, Problem>((projects, addable, connection_page::activity(t, id, ACTIVITY).await?))
            })
        })
        .await?;
    let toolbox = toolbox(app, &seen)?;
    let names = projects.iter().map(|project| project.1.clone()).collect();
    let (scopes, revoked_at) = (seen.listed.connection.scopes.clone(), seen.listed.connection.revoked_at);
    Ok(ConnectionView {
        server_address: app.settings.resource(),
        row: row(seen.listed, names)?,
        scopes: Scopes::parse(&scopes),
        projects: projects.into_iter().map(granted).collect::<Result<_, _>>()?,
        addable: addable.into_iter().map(addable_project).collect::<Result<_, _>>()?,
        toolbox,
        activity: activity.into_iter().map(activity_row).collect(),
        may_manage: is_own && revoked_at.is_none(),
        may_revoke: (is_own || seen.owns_workspace) && revoked_at.is_none(),
        revoked_at: revoked_at.map(Timestamp::from_millis),
    })
}

fn toolbox(app: &App, seen: &Seen) -> Result<ToolboxView, Problem> {
    let off = stored(app, seen)?;
    let tools: Vec<ToolRow> = app
        .catalogue
        .iter()
        .map(|card| ToolRow {
            name: card.name.to_owned(),
            description: card.description.clone(),
            scope: card.scope,
            effect: card.effect,
            tokens: card.tokens,
            is_on: !off.contains(card.name),
        })
        .collect();
    let tokens = tools.iter().filter(|tool| tool.is_on).filter_map(|tool| tool.tokens).sum();
    Ok(ToolboxView { tools, tokens, hash: app.catalogue.hash(&off) })
}

fn granted((id, name, place, role, repositories): OnConnection) -> Result<GrantedProject, Problem> {
    let place = place.as_deref().and_then(WorkspaceRole::parse);
    let role = role.as_deref().and_then(MemberRole::parse);
    Ok(GrantedProject {
        id: ProjectId::parse(&id).map_err(Problem::internal)?,
        name,
        role: effective(place, role, None),
        repositories: usize::try_from(repositories).unwrap_or_default(),
    })
}

fn addable_project((id, name): (String, String)) -> Result<AddableProject, Problem> {
    Ok(AddableProject { id: ProjectId::parse(&id).map_err(Problem::internal)?, name })
}

fn activity_row((at, tool, resource, outcome, code): Activity) -> ActivityRow {
    ActivityRow {
        at: Timestamp::from_millis(at),
        tool,
        resource,
        outcome: match outcome.as_str() {
            "done" => Outcome::Done,
            "cancelled" => Outcome::Cancelled,
            _ => Outcome::Refused,
        },
        code,
    }
}
