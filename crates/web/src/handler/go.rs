//! `/go`: the way to everything by its name; the whole page, or the list alone for a page that is open.

use axum::extract::State;
use countersign_app::home::find::{Wanted, find};
use maud::Markup;
use serde::Deserialize;

use crate::answer::PageProblem;
use crate::credential::SessionCaller;
use crate::live::{Snapshot, Watched};
use crate::page::go::{list, page};
use crate::query::Query;
use crate::state::Web;

/// What is looked for.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    q: String,
    /// Present when the list alone is wanted.
    part: Option<String>,
}

/// What was found.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Query(asked): Query<Asked>,
) -> Result<Markup, PageProblem> {
    let (caller, viewer) = (&session.view.caller, &session.view.viewer);
    let wanted = Wanted::parse(&asked.q);
    let found = find(&web.app, caller, &wanted).await?;
    if asked.part.is_some() {
        return Ok(list(viewer, &wanted, &found));
    }
    let snapshot = Snapshot::load(&web, caller, Watched::Count).await?;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, (&asked.q, &wanted), &found, &snapshot.live(viewer)))
}
