//! `/approvals`: the queue.

use axum::extract::State;
use maud::Markup;

use crate::answer::PageProblem;
use crate::credential::SessionCaller;
use crate::live::{Snapshot, Watched};
use crate::page::approvals::page;
use crate::state::Web;

/// The page.
pub(crate) async fn show(State(web): State<Web>, session: SessionCaller) -> Result<Markup, PageProblem> {
    let snapshot = Snapshot::load(&web, &session.view.caller, Watched::Approvals).await?;
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, &snapshot.queue, &snapshot.live(viewer)))
}
