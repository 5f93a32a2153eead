//! `/api/v1/connections`: the connections of assistants. What gives an agent more takes a token that may decide.

use axum::Json;
use axum::extract::State;
use countersign_app::connection::view::{ActivityRow, ConnectionRow, ConnectionView, ToolRow};
use countersign_app::connection::{self, NewConnection, Switch};
use countersign_core::api::connection::{
    ConnectionCall, ConnectionFacts, ConnectionItem, ConnectionProject, ConnectionTool, MakeConnection,
    RevokedConnection,
};
use countersign_core::id::{ConnectionId, ProjectId};

use super::answer::{Created, NoContent};
use super::listing::{Listed, Paged};
use super::{Answer, ApiProblem, Body, Ids};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Lists those that the person may see.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    paged: Paged,
) -> Listed<ConnectionItem> {
    let page = connection::page(&web.app, &caller, paged.part.clone()).await?;
    Ok(paged.items(page, item))
}

/// Makes one that waits for a client.
pub(crate) async fn create(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Body(body): Body<MakeConnection>,
) -> Result<Created<ConnectionFacts>, ApiProblem> {
    let new = NewConnection { kind: body.kind, name: body.name };
    let id = connection::create(&web.app, &caller, new).await?;
    Ok(Created(facts(connection::read(&web.app, &caller, id).await?)))
}

/// Shows one.
pub(crate) async fn show(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ConnectionId>,
) -> Answer<ConnectionFacts> {
    Ok(Json(facts(connection::read(&web.app, &caller, id).await?)))
}

/// Adds a project.
pub(crate) async fn add_project(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((id, project)): Ids<(ConnectionId, ProjectId)>,
) -> Result<NoContent, ApiProblem> {
    connection::add_project(&web.app, &caller, id, project).await?;
    Ok(NoContent)
}

/// Takes a project off.
pub(crate) async fn remove_project(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((id, project)): Ids<(ConnectionId, ProjectId)>,
) -> Result<NoContent, ApiProblem> {
    connection::remove_project(&web.app, &caller, id, project).await?;
    Ok(NoContent)
}

/// Switches a tool on.
pub(crate) async fn switch_on(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((id, tool)): Ids<(ConnectionId, String)>,
) -> Result<NoContent, ApiProblem> {
    connection::switch_tool(&web.app, &caller, id, &tool, Switch::On).await?;
    Ok(NoContent)
}

/// Switches a tool off.
pub(crate) async fn switch_off(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids((id, tool)): Ids<(ConnectionId, String)>,
) -> Result<NoContent, ApiProblem> {
    connection::switch_tool(&web.app, &caller, id, &tool, Switch::Off).await?;
    Ok(NoContent)
}

/// Ends it.
pub(crate) async fn revoke(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ConnectionId>,
) -> Answer<RevokedConnection> {
    let done = connection::revoke(&web.app, &caller, id).await?;
    Ok(Json(RevokedConnection { id, withdrawn: done.withdrawn, replayed: done.replayed }))
}

fn item(row: ConnectionRow) -> ConnectionItem {
    ConnectionItem {
        id: row.id,
        name: row.name,
        kind: row.kind,
        state: row.state,
        client: row.client,
        owner: row.owner,
        projects: row.projects,
        created_at: row.created_at,
        used_at: row.used_at,
        waiting: row.waiting,
    }
}

fn facts(view: ConnectionView) -> ConnectionFacts {
    let tool = |tool: ToolRow| ConnectionTool {
        name: tool.name,
        description: tool.description,
        scope: tool.scope.as_str().to_owned(),
        on: tool.is_on,
    };
    let call = |call: ActivityRow| ConnectionCall {
        at: call.at,
        tool: call.tool,
        resource: call.resource,
        outcome: call.outcome.as_str().to_owned(),
        code: call.code,
    };
    let grants = view.projects.into_iter().map(|project| ConnectionProject {
        id: project.id,
        name: project.name,
        role: project.role,
        repositories: project.repositories,
    });
    ConnectionFacts {
        item: item(view.row),
        server_address: view.server_address,
        scopes: view.scopes.iter().map(|scope| scope.as_str().to_owned()).collect(),
        grants: grants.collect(),
        tools: view.toolbox.tools.into_iter().map(tool).collect(),
        activity: view.activity.into_iter().map(call).collect(),
        may_manage: view.may_manage,
        may_revoke: view.may_revoke,
        revoked_at: view.revoked_at,
    }
}
