//! Every repository, for what a timer and the start of the server look through.

use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;

use crate::App;

/// The ids of all repositories of all workspaces.
pub(crate) async fn every(app: &App) -> Result<Vec<ResourceId>, Problem> {
    let ids = app
        .db
        .read(|t| Box::pin(async move { Ok::<_, Problem>(countersign_store::repository::ids(t).await?) }))
        .await?;
    ids.iter().map(|id| ResourceId::parse(id).map_err(Problem::internal)).collect()
}
