//! `/api/v1/repositories/import-url` and `/api/v1/repositories/{id}/import`.

use axum::Json;
use axum::extract::State;
use countersign_app::repository::import::{self, ImportState, ImportView, NewImport};
use countersign_core::api::repository::{ImportFromUrl, ImportItem, ImportStep};
use countersign_core::id::ResourceId;

use super::answer::{Accepted, NoContent};
use super::{Answer, ApiProblem, Body, Ids};
use crate::credential::ApiCaller;
use crate::state::Web;

/// Begins an import; it goes on without the request.
pub(crate) async fn begin(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Body(body): Body<ImportFromUrl>,
) -> Result<Accepted<ImportItem>, ApiProblem> {
    let new = NewImport { name: body.name, project: body.project_id, url: body.url };
    let id = import::begin(&web.app, &caller, new).await?;
    Ok(Accepted(item(import::look(&web.app, &caller, id).await?)))
}

/// How far it is.
pub(crate) async fn show(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
) -> Answer<ImportItem> {
    Ok(Json(item(import::look(&web.app, &caller, id).await?)))
}

/// Takes back one that failed.
pub(crate) async fn discard(
    State(web): State<Web>,
    ApiCaller(caller): ApiCaller,
    Ids(id): Ids<ResourceId>,
) -> Result<NoContent, ApiProblem> {
    import::discard(&web.app, &caller, id).await?;
    Ok(NoContent)
}

fn item(view: ImportView) -> ImportItem {
    let (step, percent, bytes, reason) = match view.state {
        ImportState::Waiting => (ImportStep::Waiting, None, None, None),
        ImportState::Receiving { percent, bytes } => {
            (ImportStep::Receiving, Some(percent), Some(bytes), None)
        }
        ImportState::Resolving { percent } => (ImportStep::Resolving, Some(percent), None, None),
        ImportState::Checking => (ImportStep::Checking, None, None, None),
        ImportState::Failed(reason) => (ImportStep::Failed, None, None, Some(reason)),
        ImportState::Done => (ImportStep::Done, None, None, None),
    };
    ImportItem {
        id: view.id,
        name: view.name,
        project_id: view.project,
        url: view.url,
        step,
        percent,
        bytes,
        reason,
    }
}
