//! `/api/v1/projects`.

use axum::Json;
use axum::extract::State;
use countersign_app::project::view::ProjectView;
use countersign_app::project::{self, NewProject};
use countersign_core::api::Items;
use countersign_core::api::project::{MakeProject, ProjectItem};
use http::StatusCode;

use super::{Answer, ApiProblem, Body, items};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Lists the projects that the person sees, at most a thousand.
pub(crate) async fn list(State(web): State<Web>, ApiCaller(caller): ApiCaller) -> Answer<Items<ProjectItem>> {
    Ok(items(project::all(&web.app, &caller).await?.into_iter().map(item).collect()))
}

/// Makes one.
pub(crate) async fn create(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Body(body): Body<MakeProject>,
) -> Result<(StatusCode, Json<ProjectItem>), ApiProblem> {
    let made = project::create(&web.app, &caller, NewProject { name: body.name }).await?;
    Ok((StatusCode::CREATED, Json(item(made))))
}

fn item(project: ProjectView) -> ProjectItem {
    ProjectItem { id: project.id, name: project.name, role: Some(project.role) }
}
