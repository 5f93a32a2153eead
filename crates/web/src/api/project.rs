//! `/api/v1/projects`.

use axum::extract::State;
use countersign_app::project::view::ProjectView;
use countersign_app::project::{self, NewProject};
use countersign_core::api::project::{MakeProject, ProjectItem};

use super::answer::Created;
use super::listing::{Listed, Paged};
use super::{ApiProblem, Body};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Lists the projects that the person sees.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    paged: Paged,
) -> Listed<ProjectItem> {
    let page = project::page(&web.app, &caller, paged.part.clone()).await?;
    Ok(paged.items(page, item))
}

/// Makes one.
pub(crate) async fn create(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Body(body): Body<MakeProject>,
) -> Result<Created<ProjectItem>, ApiProblem> {
    let made = project::create(&web.app, &caller, NewProject { name: body.name }).await?;
    Ok(Created(item(made)))
}

fn item(project: ProjectView) -> ProjectItem {
    ProjectItem { id: project.id, name: project.name, role: Some(project.role) }
}
