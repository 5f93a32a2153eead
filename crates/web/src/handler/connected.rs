//! `/connected`: the assistants, and one more named beforehand.

use axum::extract::State;
use axum::response::Response;
use countersign_app::connection::view::AssistantKind;
use countersign_app::connection::{self, NewConnection};
use maud::Markup;

use crate::answer::{PageProblem, go_to, no_page};
use crate::credential::SessionCaller;
use crate::form::SignedForm;
use crate::live::{Shown, Snapshot, Watched};
use crate::page::connected::page;
use crate::state::Web;

/// The page.
pub(crate) async fn show(State(web): State<Web>, session: SessionCaller) -> Result<Markup, PageProblem> {
    let snapshot = Snapshot::load(&web, &session.view.caller, Watched::Connected).await?;
    let Shown::Connected(view) = &snapshot.shown else { return Err(no_page().into()) };
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, view, &snapshot.live(viewer)))
}

/// Makes a connection that waits for its assistant.
pub(crate) async fn create(State(web): State<Web>, form: SignedForm) -> Result<Response, PageProblem> {
    let kind = form.fields.read("kind", AssistantKind::parse)?;
    let new = NewConnection { kind, name: form.fields.text("name").to_owned() };
    let id = connection::create(&web.app, &form.session.view.caller, new).await?;
    Ok(go_to(&format!("/connected/{id}")))
}
