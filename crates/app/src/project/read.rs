//! One project, whole: what is in it, who is in it, and what sees it.

use countersign_core::caller::Caller;
use countersign_core::id::ProjectId;
use countersign_core::problem::Problem;

use super::all;
use super::view::ProjectPage;
use crate::App;
use crate::{connection, member, repository};

/// The page of a project, for whoever has a role in it. Each part passes the gate by itself: the repositories are those
/// that the caller may read, the connections those that they may see.
pub async fn read(app: &App, caller: &Caller, id: ProjectId) -> Result<ProjectPage, Problem> {
    let members = member::list(app, caller, id).await?;
    let found = all(app, caller).await?.into_iter().find(|project| project.id == id);
    let project = found.ok_or_else(|| Problem::not_found("project"))?;
    let repositories = repository::list(app, caller).await?.into_iter().filter(|line| line.project == id);
    let connected = connection::list(app, caller).await?.connections.into_iter();
    // A name is one project's in a workspace.
    let connections = connected.filter(|row| row.projects.contains(&project.name)).collect();
    Ok(ProjectPage { repositories: repositories.collect(), members, connections, project })
}
