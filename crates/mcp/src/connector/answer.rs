//! The answers that the connector makes by itself, before or beside the SDK.

use axum::body::{Body, Bytes};
use axum::response::Response;
use countersign_core::api::Refusal;
use countersign_core::problem::{Code, Problem};
use http::header::{ALLOW, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};

use super::message::Malformed;
use super::refusal;
use super::site::Stranger;

/// An empty body with its length: there are clients that take `200 {}` for the end of the connection.
pub(super) fn accepted() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    response
}

pub(super) fn not_allowed() -> Response {
    let problem = Problem::new(Code::MethodNotAllowed, "The connector has no stream and no session.")
        .next("Send each message by POST.");
    let mut response = document(&problem);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
    response
}

pub(super) fn forbidden(stranger: Stranger) -> Response {
    let text = match stranger {
        Stranger::Host => "This server is not known by that name. Use its public address.",
        Stranger::Origin => "Pages of other sites may not use the connector.",
    };
    plain(StatusCode::FORBIDDEN, text)
}

pub(super) fn not_a_message(malformed: &Malformed) -> Response {
    let error = json!({ "code": malformed.code.0, "message": malformed.message });
    json_response(StatusCode::BAD_REQUEST, &json!({ "jsonrpc": "2.0", "id": malformed.id, "error": error }))
}

pub(super) fn json_response(status: StatusCode, body: &Value) -> Response {
    respond(status, "application/json", Bytes::from(body.to_string()))
}

pub(super) fn too_large(message: &'static str) -> Response {
    document(&Problem::new(Code::BodyTooLarge, message))
}

/// A problem document (RFC 9457), for what is no message of the protocol.
fn document(problem: &Problem) -> Response {
    let body = serde_json::to_vec(&Refusal { next_action: problem.next_action.clone(), ..problem.into() });
    respond(refusal::status_of(problem), "application/problem+json", body.unwrap_or_default().into())
}

pub(super) fn plain(status: StatusCode, text: &'static str) -> Response {
    respond(status, "text/plain; charset=utf-8", Bytes::from_static(text.as_bytes()))
}

fn respond(status: StatusCode, kind: &'static str, body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
