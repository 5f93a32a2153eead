//! `/settings`: one's own account.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use countersign_app::passkey::{self, NewPasskey};
use countersign_app::person;
use countersign_app::session::{self, require_sudo};
use countersign_core::problem::{Code, Problem};
use serde::Deserialize;
use serde_json::Value;

use super::id;
use crate::answer::{PageProblem, go_to, status_and_log};
use crate::api::ApiProblem;
use crate::credential::SessionCaller;
use crate::form::SignedForm;
use crate::live::{Snapshot, Watched};
use crate::page::settings::{Done, Settings, Sudo, page};
use crate::query::Query;
use crate::state::Web;

/// What was done before the page came back.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    done: String,
}

/// The page.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Query(asked): Query<Asked>,
) -> Result<Response, PageProblem> {
    whole(&web, &session, (Done::parse(&asked.done), None)).await.map_err(PageProblem)
}

/// What the browser is to be asked for a new passkey.
pub(crate) async fn ask_passkey(State(web): State<Web>, form: SignedForm) -> Result<Json<Value>, ApiProblem> {
    let session = &form.session;
    Ok(Json(passkey::ask_new(&web.app, &session.view.caller, &session.cookie).await?))
}

/// Keeps the passkey that the browser made.
pub(crate) async fn add_passkey(State(web): State<Web>, form: SignedForm) -> Result<Response, PageProblem> {
    let text = |name| form.fields.text(name).to_owned();
    let new = NewPasskey { name: text("name"), credential: text("credential") };
    let session = &form.session;
    let added = passkey::add(&web.app, &session.view.caller, &session.cookie, new).await;
    back(&web, session, added.map(|_| Done::PasskeyAdded)).await
}

/// Takes one away.
pub(crate) async fn remove_passkey(
    State(web): State<Web>,
    Path(text): Path<String>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let removed = passkey::remove(&web.app, &form.session.view.caller, id(&text)?).await;
    back(&web, &form.session, removed.map(|()| Done::PasskeyRemoved)).await
}

/// Changes the password.
pub(crate) async fn change_password(
    State(web): State<Web>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let (session, password) = (&form.session, form.fields.text("password").to_owned());
    let changed = person::change_password(&web.app, &session.view.caller, &session.cookie, password).await;
    back(&web, session, changed.map(|()| Done::PasswordChanged)).await
}

/// Ends the other sessions.
pub(crate) async fn sign_out_elsewhere(
    State(web): State<Web>,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let session = &form.session;
    let ended = session::sign_out_elsewhere(&web.app, &session.view.caller, &session.cookie).await;
    back(&web, session, ended.map(|()| Done::SignedOutElsewhere)).await
}

/// To the page again: with what was done, what was refused, or first to the question who one is.
async fn back(
    web: &Web,
    session: &SessionCaller,
    result: Result<Done, Problem>,
) -> Result<Response, PageProblem> {
    match result {
        Ok(done) => Ok(go_to(&format!("/settings?done={}", done.word()))),
        Err(problem) if problem.code == Code::SudoRequired => Ok(go_to("/sudo?to=/settings")),
        Err(problem) => {
            let page = whole(web, session, (None, Some(&problem))).await?;
            Ok((status_and_log(&problem), page).into_response())
        }
    }
}

async fn whole(
    web: &Web,
    open: &SessionCaller,
    (done, problem): (Option<Done>, Option<&Problem>),
) -> Result<Response, Problem> {
    let (caller, viewer) = (&open.view.caller, &open.view.viewer);
    let passkeys = match web.app.settings.relying_party() {
        Some(_) => Some(passkey::list(&web.app, caller).await?),
        None => None,
    };
    let sessions = session::open_sessions(&web.app, caller, &open.cookie).await?;
    let snapshot = Snapshot::load(web, caller, Watched::Count).await?;
    let now = web.app.now();
    let sudo = if require_sudo(caller, now).is_ok() { Sudo::Open } else { Sudo::Closed };
    let settings = Settings { passkeys: passkeys.as_deref(), sessions: &sessions, sudo, done, problem };
    Ok(page(&snapshot.scene(viewer, now), &settings, &snapshot.live(viewer)).into_response())
}
