//! Answers: JSON that nobody keeps, the errors of OAuth, and trouble that never looks like one of them.

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest as _, Request};
use axum::response::{IntoResponse as _, Response};
use countersign_core::oauth::params::Params;
use countersign_core::oauth::refusal::{OAuthError, OAuthRefusal};
use countersign_core::problem::{Code, Problem};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, PRAGMA, RETRY_AFTER};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use serde_json::json;

/// The longest form that is read.
const FORM_LIMIT: usize = 64 * 1024;

const JSON: (HeaderName, HeaderValue) = (CONTENT_TYPE, HeaderValue::from_static("application/json"));
pub(crate) const NO_STORE: (HeaderName, HeaderValue) = (CACHE_CONTROL, HeaderValue::from_static("no-store"));
/// RFC 6749 §5.1 names it for caches of HTTP/1.0.
const NO_CACHE: (HeaderName, HeaderValue) = (PRAGMA, HeaderValue::from_static("no-cache"));

/// JSON that nobody may keep.
pub(crate) fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    (status, [JSON, NO_STORE, NO_CACHE], body.into()).into_response()
}

/// A refusal in the words of OAuth.
pub(crate) fn refused(refusal: &OAuthRefusal) -> Response {
    let status = StatusCode::from_u16(refusal.code.status()).unwrap_or(StatusCode::BAD_REQUEST);
    json(status, refusal.body().to_string())
}

/// Our trouble, or a limit: the client keeps what it has and asks again.
pub(crate) fn trouble(problem: &Problem) -> Response {
    log(problem);
    let status = status(problem);
    let word =
        if status == StatusCode::INTERNAL_SERVER_ERROR { "server_error" } else { "temporarily_unavailable" };
    let description = format!("{} {}", problem.message, problem.next_action);
    let mut response = json(status, json!({ "error": word, "error_description": description }).to_string());
    tell_wait(&mut response, problem);
    response
}

/// The endpoint is not for this method.
pub(crate) async fn no_method(method: Method) -> Response {
    let description = format!("{method} is not served here; use a method that the header Allow names.");
    let body = json!({ "error": "invalid_request", "error_description": description });
    json(StatusCode::METHOD_NOT_ALLOWED, body.to_string())
}

/// The status of trouble.
pub(crate) fn status(problem: &Problem) -> StatusCode {
    StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Says when to ask again, where asking again helps.
pub(crate) fn tell_wait(response: &mut Response, problem: &Problem) {
    if matches!(response.status(), StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        let seconds = problem.facts.get("retry_after_s").and_then(serde_json::Value::as_i64).unwrap_or(2);
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
}

/// Writes our own trouble to the log, with its cause; limits and refusals are the caller's.
pub(crate) fn log(problem: &Problem) {
    if matches!(problem.code, Code::Internal | Code::StoreUnavailable | Code::DiskFull) {
        tracing::error!(code = problem.code.as_str(), cause = ?problem.cause, "an OAuth endpoint failed");
    }
}

/// The pairs of a form. Anything that is none is refused.
pub(crate) async fn form(request: Request) -> Result<Params, OAuthRefusal> {
    const NOT_A_FORM: OAuthRefusal = OAuthRefusal::new(
        OAuthError::InvalidRequest,
        "Send a form of at most 64 KiB as application/x-www-form-urlencoded in UTF-8.",
    );
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, FORM_LIMIT).await.map_err(|_| NOT_A_FORM)?;
    if !is_media_type(parts.headers.get(CONTENT_TYPE), "application/x-www-form-urlencoded") {
        return Err(NOT_A_FORM);
    }
    let request = Request::from_parts(parts, Body::from(body));
    let pairs =
        axum::Form::<Vec<(String, String)>>::from_request(request, &()).await.map_err(|_| NOT_A_FORM)?;
    // What is no UTF-8 was replaced while it was decoded.
    if pairs.0.iter().any(|(name, value)| name.contains('\u{fffd}') || value.contains('\u{fffd}')) {
        return Err(NOT_A_FORM);
    }
    Ok(Params::new(pairs.0))
}

/// A JSON body of at most `limit` bytes.
pub(crate) async fn json_body(request: Request, limit: usize) -> Option<serde_json::Value> {
    let (parts, body) = request.into_parts();
    let body: Bytes = axum::body::to_bytes(body, limit).await.ok()?;
    let is_json = is_media_type(parts.headers.get(CONTENT_TYPE), "application/json");
    is_json.then(|| serde_json::from_slice(&body).ok()).flatten()
}

/// Whether a header names this media type, whatever its parameters.
fn is_media_type(header: Option<&HeaderValue>, wanted: &str) -> bool {
    let text = header.and_then(|value| value.to_str().ok()).unwrap_or_default();
    text.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(wanted))
}
