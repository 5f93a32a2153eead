//! `/repositories`: the list.

use axum::extract::{Query, State};
use countersign_app::repository;
use maud::Markup;
use serde::Deserialize;

use super::repository::number;
use crate::answer::PageProblem;
use crate::credential::SessionCaller;
use crate::live::{Snapshot, Watched};
use crate::page::repositories::page;
use crate::state::Web;

/// Which part of the list.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    q: String,
    #[serde(default)]
    from: String,
}

/// The page.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Query(asked): Query<Asked>,
) -> Result<Markup, PageProblem> {
    let caller = &session.view.caller;
    let view = repository::overview(&web.app, caller, &asked.q, number(&asked.from)).await?;
    let snapshot = Snapshot::load(&web, caller, Watched::Count).await?;
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, &view, &snapshot.live(viewer)))
}
