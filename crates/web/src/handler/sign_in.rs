//! `/sign-in` and `/sign-out`.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use countersign_app::passkey;
use countersign_app::session::{self, Credentials};
use countersign_app::setup;
use http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;

use crate::answer::{PageProblem, go_to, status_and_log};
use crate::api::ApiProblem;
use crate::cookie::{begin_session, end_session};
use crate::credential::Visitor;
use crate::form::{OpenForm, SignedForm, form_token};
use crate::page::sign_in::{Asked, not_set_up, page};
use crate::place::Place;
use crate::query::Query;
use crate::state::Web;

/// Where the person wanted to go.
#[derive(Debug, Deserialize)]
pub(crate) struct Wish {
    #[serde(default)]
    pub(super) to: String,
}

/// The form; who is signed in already goes on.
pub(crate) async fn show(
    State(web): State<Web>,
    visitor: Visitor,
    Query(wish): Query<Wish>,
    headers: HeaderMap,
) -> Result<Response, PageProblem> {
    let to = Place::parse(&wish.to);
    if visitor.session.is_some() {
        return Ok(go_to(&to.path()));
    }
    if setup::is_open(&web.app).await? {
        return Ok(not_set_up().into_response());
    }
    let mut set = HeaderMap::new();
    let token = form_token(&web, &headers, &mut set);
    Ok((set, page(&asked(&web, &token, &to.path()), "", None)).into_response())
}

fn asked<'a>(web: &Web, token: &'a str, to: &'a str) -> Asked<'a> {
    Asked { form_token: token, to, passkeys: web.app.settings.relying_party().is_some() }
}

/// What the browser is to be asked for any passkey of this site.
pub(crate) async fn ask_passkey(State(web): State<Web>, form: OpenForm) -> Result<Json<Value>, ApiProblem> {
    Ok(Json(passkey::ask_sign_in(&web.app, &form.token).await?))
}

/// Signs a person in and leads them on.
pub(crate) async fn submit(State(web): State<Web>, form: OpenForm) -> Result<Response, PageProblem> {
    let (mail, password) = (form.fields.text("mail").to_owned(), form.fields.text("password").to_owned());
    let to = Place::parse(form.fields.text("to")).path();
    let (app, address) = (&web.app, form.visitor.address);
    let signed_in = match form.fields.text("credential") {
        "" => session::sign_in(app, address, Credentials { mail: mail.clone(), password }).await,
        credential => session::sign_in_by_passkey(app, address, &form.token, credential).await,
    };
    match signed_in {
        Ok(signed_in) => {
            let mut response = go_to(&to);
            begin_session(&web.app, response.headers_mut(), &signed_in);
            Ok(response)
        }
        Err(problem) => {
            Ok((status_and_log(&problem), page(&asked(&web, &form.token, &to), &mail, Some(&problem)))
                .into_response())
        }
    }
}

/// Ends the session, here and in the store.
pub(crate) async fn sign_out(State(web): State<Web>, form: SignedForm) -> Result<Response, PageProblem> {
    session::sign_out(&web.app, &form.session.cookie).await?;
    let mut response = go_to("/sign-in");
    end_session(&web.app, response.headers_mut());
    Ok(response)
}
