//! `/connected/{id}`: one connection, its projects, its tools, and its end.

use axum::extract::{Path, State};
use axum::response::Response;
use countersign_app::connection::{self, Switch};
use countersign_core::id::{ConnectionId, ProjectId};
use maud::Markup;

use super::id;
use crate::answer::{PageProblem, go_to, no_page};
use crate::credential::SessionCaller;
use crate::form::SignedForm;
use crate::live::{Shown, Snapshot, Watched};
use crate::page::connection::page;
use crate::state::Web;

/// The page.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Path(text): Path<String>,
) -> Result<Markup, PageProblem> {
    let watched = Watched::Connection(id(&text)?);
    let snapshot = Snapshot::load(&web, &session.view.caller, watched).await?;
    let Shown::Connection(view) = &snapshot.shown else { return Err(no_page().into()) };
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, view, &snapshot.live(viewer)))
}

/// Adds a project to it.
pub(crate) async fn add_project(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let connection: ConnectionId = id(&text)?;
    let project = form.fields.read("project", |text| ProjectId::parse(text).ok())?;
    connection::add_project(&web.app, &form.session.view.caller, connection, project).await?;
    Ok(go_to(&format!("/connected/{connection}")))
}

/// Takes a project off it.
pub(crate) async fn remove_project(
    State(web): State<Web>,
    Path((text, project)): Path<(String, String)>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let (connection, project): (ConnectionId, ProjectId) = (id(&text)?, id(&project)?);
    connection::remove_project(&web.app, &form.session.view.caller, connection, project).await?;
    Ok(go_to(&format!("/connected/{connection}")))
}

/// Switches one of its tools.
pub(crate) async fn switch_tool(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let connection: ConnectionId = id(&text)?;
    let to = form.fields.read("to", Switch::parse)?;
    let tool = form.fields.text("tool");
    connection::switch_tool(&web.app, &form.session.view.caller, connection, tool, to).await?;
    Ok(go_to(&format!("/connected/{connection}#tools")))
}

/// Switches all of them on.
pub(crate) async fn switch_all_on(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let connection: ConnectionId = id(&text)?;
    connection::switch_all_on(&web.app, &form.session.view.caller, connection).await?;
    Ok(go_to(&format!("/connected/{connection}#tools")))
}

/// Ends it.
pub(crate) async fn revoke(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let connection: ConnectionId = id(&text)?;
    connection::revoke(&web.app, &form.session.view.caller, connection).await?;
    Ok(go_to(&format!("/connected/{connection}")))
}
