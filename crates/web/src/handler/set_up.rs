//! `/setup`: there while nobody has claimed the link, gone ever after.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use countersign_app::setup::{self, Claim};
use countersign_core::problem::{Code, Problem};
use http::HeaderMap;

use crate::answer::{PageProblem, go_to, status_and_log};
use crate::cookie::begin_session;
use crate::form::{Fields, OpenForm, form_token};
use crate::page::set_up::{Typed, page};
use crate::state::Web;

/// The form.
pub(crate) async fn show(State(web): State<Web>, headers: HeaderMap) -> Result<Response, PageProblem> {
    if !setup::is_open(&web.app).await? {
        return Err(done().into());
    }
    let mut set = HeaderMap::new();
    let token = form_token(&web, &headers, &mut set);
    Ok((set, page(&token, &Typed::default(), None)).into_response())
}

/// Claims the link and signs the first person in.
pub(crate) async fn submit(State(web): State<Web>, form: OpenForm) -> Result<Response, PageProblem> {
    if !setup::is_open(&web.app).await? {
        return Err(done().into());
    }
    match setup::claim(&web.app, claim(&form.fields)).await {
        Ok(signed_in) => {
            let mut response = go_to("/connected");
            begin_session(&web.app, response.headers_mut(), &signed_in);
            Ok(response)
        }
        // Somebody else was first, while this form was read.
        Err(problem) if problem.code == Code::NotFound && !setup::is_open(&web.app).await? => {
            Err(done().into())
        }
        Err(problem) => {
            let problem = in_words_of_the_form(problem);
            Ok((status_and_log(&problem), page(&form.token, &typed(&form.fields), Some(&problem)))
                .into_response())
        }
    }
}

/// There was a set-up here, and it is over.
fn done() -> Problem {
    Problem::new(Code::NotFound, "This server is set up already.")
        .next("Sign in at /sign-in. Who has no account asks an owner of the workspace for one.")
}

fn claim(fields: &Fields) -> Claim {
    Claim {
        token: fields.text("token").trim().to_owned(),
        mail: fields.text("mail").to_owned(),
        name: fields.text("name").to_owned(),
        password: fields.text("password").to_owned(),
        workspace_name: fields.text("workspace_name").to_owned(),
        workspace_slug: fields.text("workspace_slug").to_owned(),
    }
}

fn typed(fields: &Fields) -> Typed {
    Typed {
        token: fields.text("token").to_owned(),
        workspace: fields.text("workspace_name").to_owned(),
        slug: fields.text("workspace_slug").to_owned(),
        name: fields.text("name").to_owned(),
        mail: fields.text("mail").to_owned(),
    }
}

/// The set-up is open, so a code that opens nothing was mistyped.
fn in_words_of_the_form(problem: Problem) -> Problem {
    if problem.code == Code::NotFound {
        return Problem::new(Code::NotFound, "This set-up code is not the one that the server printed.")
            .next("Open the whole link again, or copy the code from the end of it.")
            .fact("field", "token")
            .fact("rule", "the code of the link that the server printed");
    }
    problem
}
