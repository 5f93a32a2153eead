//! `/api/v1/repositories`.

use std::path::PathBuf;

use axum::Json;
use axum::extract::State;
use countersign_app::repository::{self, Change, NewRepository, RepositoryLine};
use countersign_core::api::Items;
use countersign_core::api::repository::{ChangeRepository, ImportRepository, MakeRepository, RepositoryItem};
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use http::StatusCode;

use super::{Answer, ApiProblem, Body, Ids, items};
use crate::credential::ApiCaller;
use crate::state::Web;

type Made = Result<(StatusCode, Json<RepositoryItem>), ApiProblem>;

/// Lists the repositories that the person sees.
pub(crate) async fn list(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
) -> Answer<Items<RepositoryItem>> {
    Ok(items(repository::list(&web.app, &caller).await?.into_iter().map(item).collect()))
}

/// Makes one with a first README.
pub(crate) async fn create(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Body(body): Body<MakeRepository>,
) -> Made {
    let new = NewRepository { name: body.name, project: body.project_id, folder: None };
    let made = repository::create(&web.app, &caller, new).await?;
    let line = repository::get(&web.app, &caller, made.id).await?;
    Ok((StatusCode::CREATED, Json(item(line))))
}

/// Makes one from a folder on this machine.
pub(crate) async fn import(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Body(body): Body<ImportRepository>,
) -> Made {
    let folder = PathBuf::from(body.folder);
    if !folder.is_absolute() {
        return Err(Problem::invalid("folder", "an absolute path on the server's machine").into());
    }
    let new = NewRepository { name: body.name, project: body.project_id, folder: Some(folder) };
    let made = repository::import(&web.app, &caller, new).await?;
    let line = repository::get(&web.app, &caller, made.id).await?;
    Ok((StatusCode::CREATED, Json(item(line))))
}

/// Moves one to another project, or switches GitNest for it.
pub(crate) async fn change(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
    Body(body): Body<ChangeRepository>,
) -> Answer<RepositoryItem> {
    let change = Change { project: body.project_id, gitnest: body.gitnest };
    repository::change(&web.app, &caller, id, change).await?;
    Ok(Json(item(repository::get(&web.app, &caller, id).await?)))
}

fn item(line: RepositoryLine) -> RepositoryItem {
    RepositoryItem {
        id: line.id,
        name: line.name,
        project_id: line.project,
        gitnest: line.gitnest,
        default_branch: line.default_branch,
        clone_url: line.clone_url,
    }
}
