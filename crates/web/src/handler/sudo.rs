//! `/sudo`: the password or a passkey again.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use countersign_app::passkey;
use countersign_app::session::{self, Proof};
use countersign_core::problem::Problem;
use serde_json::Value;

use super::sign_in::Wish;
use crate::answer::{PageProblem, go_to, status_and_log};
use crate::api::ApiProblem;
use crate::cookie::begin_session;
use crate::credential::{SessionCaller, Visitor};
use crate::form::{Fields, SignedForm};
use crate::page::sudo::{Asked, page};
use crate::place::Place;
use crate::query::Query;
use crate::state::Web;

/// The form.
pub(crate) async fn show(
    State(web): State<Web>,
    session: SessionCaller,
    Query(wish): Query<Wish>,
) -> Result<Response, PageProblem> {
    Ok(ask(&web, &session, &Place::parse(&wish.to).path(), None).await?)
}

/// What the browser is to be asked for a passkey of the person.
pub(crate) async fn ask_passkey(State(web): State<Web>, form: SignedForm) -> Result<Json<Value>, ApiProblem> {
    let session = &form.session;
    Ok(Json(passkey::ask_proof(&web.app, &session.view.caller, &session.cookie).await?))
}

/// Opens the sudo window, under a new session token.
pub(crate) async fn submit(
    State(web): State<Web>,
    visitor: Visitor,
    form: SignedForm,
) -> Result<Response, PageProblem> {
    let to = Place::parse(form.fields.text("to")).path();
    let proof = given(&form.fields);
    match session::prove(&web.app, visitor.address, &form.session.cookie, proof).await {
        Ok(signed_in) => {
            let mut response = go_to(&to);
            begin_session(&web.app, response.headers_mut(), &signed_in);
            Ok(response)
        }
        Err(problem) => Ok(ask(&web, &form.session, &to, Some(&problem)).await?),
    }
}

/// What a form proves its person with.
pub(super) fn given(fields: &Fields) -> Proof {
    match fields.text("credential") {
        "" => Proof::Password(fields.text("password").to_owned()),
        credential => Proof::Passkey(credential.to_owned()),
    }
}

async fn ask(
    web: &Web,
    session: &SessionCaller,
    to: &str,
    problem: Option<&Problem>,
) -> Result<Response, Problem> {
    let viewer = &session.view.viewer;
    let passkeys = passkey::has_any(&web.app, &session.view.caller).await?;
    let asked = Asked { form_token: &viewer.csrf, to, mail: &viewer.mail, passkeys };
    let status = problem.map_or(http::StatusCode::OK, status_and_log);
    Ok((status, page(&asked, problem)).into_response())
}
