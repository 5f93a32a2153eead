//! How a handler answers: a page, another page to go to, a problem.

use axum::response::{IntoResponse, Response};
use countersign_core::problem::{Code, Problem};
use http::{HeaderValue, StatusCode, header};

use crate::page;

/// A problem as a page.
#[derive(Debug)]
pub(crate) struct PageProblem(pub(crate) Problem);

impl From<Problem> for PageProblem {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl IntoResponse for PageProblem {
    fn into_response(self) -> Response {
        (status_and_log(&self.0), page::problem::page(&self.0)).into_response()
    }
}

/// The status of a problem. Its cause goes to the log here, where it is handled, and nowhere else.
pub(crate) fn status_and_log(problem: &Problem) -> StatusCode {
    if let Some(cause) = &problem.cause {
        tracing::error!(code = problem.code.as_str(), cause = %chain(&**cause), "a request failed");
    }
    StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The causes, outermost first.
fn chain(cause: &(dyn std::error::Error + 'static)) -> String {
    let mut text = cause.to_string();
    let mut next = cause.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

/// Sends the browser to another page after a form (RFC 9110 §15.4.4).
pub(crate) fn go_to(path: &str) -> Response {
    match HeaderValue::from_str(path) {
        Ok(path) => (StatusCode::SEE_OTHER, [(header::LOCATION, path)]).into_response(),
        Err(error) => PageProblem(Problem::internal(error)).into_response(),
    }
}

/// An address with something in it that is no id: nothing is there.
pub(crate) fn no_page() -> Problem {
    Problem::new(Code::NotFound, "There is no such page.")
}
