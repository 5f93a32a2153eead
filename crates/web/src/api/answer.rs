//! What handlers answer beside plain JSON: each with its status in its type, so that the document tells it.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;

/// Something was made.
#[derive(Debug)]
pub(crate) struct Created<T>(pub(crate) T);

/// Something was begun that goes on without the request.
#[derive(Debug)]
pub(crate) struct Accepted<T>(pub(crate) T);

/// It is done, and there is nothing to say.
#[derive(Debug)]
pub(crate) struct NoContent;

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self.0)).into_response()
    }
}

impl<T: Serialize> IntoResponse for Accepted<T> {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, Json(self.0)).into_response()
    }
}

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}
