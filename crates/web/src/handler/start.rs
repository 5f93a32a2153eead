//! `/`, and every address where nothing is.

use axum::response::{IntoResponse, Response};
use countersign_core::problem::Problem;
use http::{StatusCode, Uri};

use crate::answer::{PageProblem, go_to, no_page};
use crate::api::ApiProblem;

/// The start is the queue.
pub(crate) async fn start() -> Response {
    go_to("/approvals")
}

/// Nothing is here: a page for people, a problem document for programs, and for what machines probe a bare 404.
pub(crate) async fn nothing(uri: Uri) -> Response {
    let path = uri.path();
    if path.starts_with("/.well-known/") || path.starts_with("/git/") || path.starts_with("/static/") {
        return StatusCode::NOT_FOUND.into_response();
    }
    if path.starts_with("/api/") {
        return ApiProblem(Problem { message: "There is no such route.".to_owned(), ..no_page() })
            .into_response();
    }
    PageProblem(no_page()).into_response()
}
