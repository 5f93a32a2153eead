//! `/repositories`: the list.

use axum::extract::State;
use countersign_app::repository;
use maud::Markup;
use serde::Deserialize;

use super::repository::number;
use crate::answer::{PageProblem, no_page};
use crate::credential::SessionCaller;
use crate::live::{Shown, Snapshot, Watched};
use crate::page::repositories::page;
use crate::query::Query;
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
    let listed = repository::list(&web.app, caller).await?.len();
    let snapshot = Snapshot::load(&web, caller, Watched::Imports(listed)).await?;
    let Shown::Imports(imports) = &snapshot.shown else { return Err(no_page().into()) };
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, &view, imports.as_ref(), &snapshot.live(viewer)))
}
