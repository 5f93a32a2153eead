//! How a handler answers: a page, another page to go to, a problem.

use axum::response::{IntoResponse, Response};
use countersign_core::problem::{Code, Problem};
use http::{HeaderMap, HeaderValue, StatusCode, header};

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
        let mut response = (status_and_log(&self.0), page::problem::page(&self.0)).into_response();
        tell_wait(response.headers_mut(), &self.0);
        response
    }
}

/// The status of a problem. Its cause goes to the log here, where it is handled, and nowhere else.
pub(crate) fn status_and_log(problem: &Problem) -> StatusCode {
    if let Some(cause) = &problem.cause {
        let (code, cause) = (problem.code.as_str(), chain(&**cause));
        // What passes by itself needs no operator.
        if problem.code.status() == 503 {
            tracing::warn!(code, cause, "a request has to be repeated");
        } else {
            tracing::error!(code, cause, "a request failed");
        }
    }
    StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Seconds after which trouble is worth another try.
const SOON: i64 = 2;

/// Says when to ask again, where asking again helps.
pub(crate) fn tell_wait(headers: &mut HeaderMap, problem: &Problem) {
    let known = problem.facts.get("retry_after_s").and_then(serde_json::Value::as_i64);
    if let Some(seconds) = known.or((problem.code.status() == 503).then_some(SOON)) {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
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
    Problem::new(Code::NotFound, "There is no such page.").next("Check the address, or go back to the start.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ApiProblem;

    #[test]
    fn every_503_says_when_to_ask_again() {
        let unavailable = Code::ALL.iter().filter(|code| code.status() == 503);
        for code in unavailable {
            let problem = || Problem::new(*code, "Later.");
            let page = PageProblem(problem()).into_response();
            let api = ApiProblem(problem()).into_response();
            for response in [page, api] {
                assert_eq!(response.headers()[header::RETRY_AFTER], "2", "{code:?}");
            }
        }
        let known = PageProblem(Problem::new(Code::StoreUnavailable, "Later.").fact("retry_after_s", 7));
        assert_eq!(known.into_response().headers()[header::RETRY_AFTER], "7");
    }
}
