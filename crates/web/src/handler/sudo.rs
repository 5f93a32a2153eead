//! `/sudo`: the password again.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use countersign_app::session;

use super::sign_in::Wish;
use crate::answer::{go_to, status_and_log};
use crate::cookie::begin_session;
use crate::credential::{SessionCaller, Visitor};
use crate::form::SignedForm;
use crate::page::sudo::page;
use crate::place::Place;
use crate::query::Query;
use crate::state::Web;

/// The form.
pub(crate) async fn show(session: SessionCaller, Query(wish): Query<Wish>) -> Response {
    let viewer = &session.view.viewer;
    page(&viewer.csrf, &Place::parse(&wish.to).path(), &viewer.mail, None).into_response()
}

/// Opens the sudo window, under a new session token.
pub(crate) async fn submit(State(web): State<Web>, visitor: Visitor, form: SignedForm) -> Response {
    let to = Place::parse(form.fields.text("to")).path();
    let password = form.fields.text("password").to_owned();
    match session::prove(&web.app, visitor.address, &form.session.cookie, password).await {
        Ok(signed_in) => {
            let mut response = go_to(&to);
            begin_session(&web.app, response.headers_mut(), &signed_in);
            response
        }
        Err(problem) => {
            let viewer = &form.session.view.viewer;
            (status_and_log(&problem), page(&viewer.csrf, &to, &viewer.mail, Some(&problem))).into_response()
        }
    }
}
