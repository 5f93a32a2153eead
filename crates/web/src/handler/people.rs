//! `/people`: the people of the workspace, for its owners.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use countersign_app::workspace;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::WorkspaceRole;

use super::id;
use crate::answer::{PageProblem, go_to, no_page, status_and_log};
use crate::credential::SessionCaller;
use crate::form::SignedForm;
use crate::live::{Shown, Snapshot, Watched};
use crate::page::people::page;
use crate::state::Web;

/// The page.
pub(crate) async fn show(State(web): State<Web>, session: SessionCaller) -> Result<Response, PageProblem> {
    whole(&web, &session, None).await.map_err(PageProblem)
}

/// Makes somebody an owner, or a member again.
pub(crate) async fn set_role(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let role = form.fields.read("role", WorkspaceRole::parse)?;
    let done = workspace::set_role(&web.app, &form.session.view.caller, id(&text)?, role).await;
    back(&web, &form.session, done).await
}

/// Shuts somebody out.
pub(crate) async fn disable(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let done = workspace::disable(&web.app, &form.session.view.caller, id(&text)?).await;
    back(&web, &form.session, done).await
}

/// Lets somebody in again.
pub(crate) async fn enable(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let done = workspace::enable(&web.app, &form.session.view.caller, id(&text)?).await;
    back(&web, &form.session, done).await
}

/// To the page again; first to the question who one is, where that is asked; with what was refused on top.
async fn back(
    web: &Web,
    session: &SessionCaller,
    done: Result<(), Problem>,
) -> Result<Response, PageProblem> {
    match done {
        Ok(()) => Ok(go_to("/people")),
        Err(problem) if problem.code == Code::SudoRequired => Ok(go_to("/sudo?to=/people")),
        Err(problem) if problem.code == Code::LastOwner => {
            let page = whole(web, session, Some(&problem)).await?;
            Ok((status_and_log(&problem), page).into_response())
        }
        Err(problem) => Err(problem.into()),
    }
}

async fn whole(web: &Web, session: &SessionCaller, problem: Option<&Problem>) -> Result<Response, Problem> {
    let snapshot = Snapshot::load(web, &session.view.caller, Watched::People).await?;
    let Shown::People(people) = &snapshot.shown else { return Err(no_page()) };
    let viewer = &session.view.viewer;
    let scene = snapshot.scene(viewer, web.app.now());
    Ok(page(&scene, people, problem, &snapshot.live(viewer)).into_response())
}
