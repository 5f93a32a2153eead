//! `/join`: an invitation is looked at, and somebody comes by it.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use countersign_app::invitation::{self, Acceptance};
use countersign_core::problem::{Code, Problem};
use http::HeaderMap;

use crate::answer::{PageProblem, go_to, status_and_log};
use crate::cookie::begin_session;
use crate::form::{OpenForm, form_token};
use crate::page::join;
use crate::state::Web;

/// Asks for the code, which a script takes from the link.
pub(crate) async fn show(State(web): State<Web>, headers: HeaderMap) -> Result<Response, PageProblem> {
    let mut set = HeaderMap::new();
    let token = form_token(&web, &headers, &mut set);
    Ok((set, join::code(&token, "", None)).into_response())
}

/// Shows what the code opens.
pub(crate) async fn look(State(web): State<Web>, form: OpenForm) -> Result<Response, PageProblem> {
    let code = form.fields.text("token").trim();
    match invitation::look(&web.app, code).await {
        Ok(offer) => Ok(join::offer((&form.token, code), &offer, "", None).into_response()),
        Err(problem) => Ok(again(&form, &problem)),
    }
}

/// Makes the account and signs its person in.
pub(crate) async fn accept(State(web): State<Web>, form: OpenForm) -> Result<Response, PageProblem> {
    let (code, name) = (form.fields.text("token").trim(), form.fields.text("name"));
    let input = Acceptance {
        token: code.to_owned(),
        name: name.to_owned(),
        password: form.fields.text("password").to_owned(),
    };
    match invitation::accept(&web.app, input).await {
        Ok(signed_in) => {
            let mut response = go_to("/");
            begin_session(&web.app, response.headers_mut(), &signed_in);
            Ok(response)
        }
        Err(problem) if problem.code == Code::NotFound => Ok(again(&form, &problem)),
        Err(problem) => {
            let offer = invitation::look(&web.app, code).await?;
            let page = join::offer((&form.token, code), &offer, name, Some(&problem));
            Ok((status_and_log(&problem), page).into_response())
        }
    }
}

/// The first page, with what is wrong about the code.
fn again(form: &OpenForm, problem: &Problem) -> Response {
    let page = join::code(&form.token, form.fields.text("token"), Some(problem));
    (status_and_log(problem), page).into_response()
}
