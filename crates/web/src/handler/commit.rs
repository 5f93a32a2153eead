//! `/repositories/{id}/commits/{oid}`: one commit.

use axum::extract::{Path, State};
use countersign_app::repository;
use countersign_core::id::ResourceId;
use maud::Markup;

use super::{Look, id};
use crate::answer::PageProblem;
use crate::credential::SessionCaller;
use crate::live::{Snapshot, Watched};
use crate::page::commit::page;
use crate::query::Query;
use crate::state::Web;

/// The page.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Path((repository, oid)): Path<(String, String)>,
    Query(look): Query<Look>,
) -> Result<Markup, PageProblem> {
    let repository: ResourceId = id(&repository)?;
    let caller = &session.view.caller;
    let view = repository::commit(&web.app, caller, repository, &oid).await?;
    let snapshot = Snapshot::load(&web, caller, Watched::Count).await?;
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, &view, look.layout(), &snapshot.live(viewer)))
}
