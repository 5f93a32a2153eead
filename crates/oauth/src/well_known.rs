//! The documents that clients discover us by; every other well-known path is missing, in JSON and never a page.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, StatusCode};
use serde_json::json;

use crate::Shared;
use crate::answer::json as no_store;

const DOCUMENT: [(HeaderName, HeaderValue); 2] = [
    (CONTENT_TYPE, HeaderValue::from_static("application/json")),
    // Short, so that a changed setting is soon seen.
    (CACHE_CONTROL, HeaderValue::from_static("public, max-age=300")),
];

/// RFC 9728.
pub(crate) async fn protected_resource(State(shared): State<Arc<Shared>>) -> Response {
    document(shared.protected_resource.clone())
}

/// RFC 8414.
pub(crate) async fn authorization_server(State(shared): State<Arc<Shared>>) -> Response {
    document(shared.authorization_server.clone())
}

fn document(body: axum::body::Bytes) -> Response {
    (DOCUMENT, body).into_response()
}

/// Nothing is here. Clients try paths of other specifications and read anything but a 404 as an answer.
pub(crate) async fn missing() -> Response {
    let body = json!({ "error": "not_found", "error_description": "There is no such document here." });
    no_store(StatusCode::NOT_FOUND, body.to_string())
}
