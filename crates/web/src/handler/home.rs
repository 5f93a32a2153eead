//! `/`: what needs the person.

use axum::extract::State;
use maud::Markup;

use crate::answer::{PageProblem, no_page};
use crate::credential::SessionCaller;
use crate::live::{Shown, Snapshot, Watched};
use crate::page::home::page;
use crate::state::Web;

/// The page.
pub(crate) async fn show(State(web): State<Web>, session: SessionCaller) -> Result<Markup, PageProblem> {
    let snapshot = Snapshot::load(&web, &session.view.caller, Watched::Home).await?;
    let Shown::Home(view) = &snapshot.shown else { return Err(no_page().into()) };
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, view, &snapshot.queue, &snapshot.live(viewer)))
}
