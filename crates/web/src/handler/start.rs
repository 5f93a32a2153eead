//! Every address where nothing is.

use axum::response::{IntoResponse, Response};
use countersign_core::problem::{Code, Problem};
use http::{Method, StatusCode, Uri};

use crate::answer::{PageProblem, no_page};
use crate::api::ApiProblem;

/// Nothing is here: a page for people, a problem document for programs, and for what machines probe a bare 404.
pub(crate) async fn nothing(uri: Uri) -> Response {
    let path = uri.path();
    if path.starts_with("/.well-known/") || path.starts_with("/git/") || path.starts_with("/static/") {
        return StatusCode::NOT_FOUND.into_response();
    }
    if path.starts_with("/api/") {
        return ApiProblem(
            Problem::new(Code::NotFound, "There is no such route.").next("Check the method and the path."),
        )
        .into_response();
    }
    PageProblem(no_page()).into_response()
}

/// A page is here, but not for this method.
pub(crate) async fn no_method(method: Method) -> PageProblem {
    PageProblem(no_such_method(&method))
}

/// A route is here, but not for this method.
pub(crate) async fn no_api_method(method: Method) -> ApiProblem {
    ApiProblem(no_such_method(&method))
}

fn no_such_method(method: &Method) -> Problem {
    Problem::new(Code::MethodNotAllowed, format!("{method} is not served at this address."))
}
