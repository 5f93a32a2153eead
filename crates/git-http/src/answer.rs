//! Answers other than git's own: a status and a sentence, which git shows to its user as `remote: …`.

use axum::body::Body;
use axum::response::Response;
use countersign_app::gate::Rate;
use countersign_core::problem::{Code, Problem};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, PRAGMA, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};

/// Seconds after which trouble that passes is worth another try.
const SOON: i64 = 2;

/// A status and a sentence.
pub(crate) fn plain(status: StatusCode, said: &str) -> Response {
    let mut response = Response::new(Body::from(format!("{said}\n")));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    never_kept(headers);
    response
}

/// A refusal that will pass.
pub(crate) fn later(status: StatusCode, said: &str, seconds: i64) -> Response {
    let mut response = plain(status, said);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    response
}

/// Asks for a token (RFC 7617).
pub(crate) fn ask(said: &str) -> Response {
    let mut response = plain(StatusCode::UNAUTHORIZED, said);
    let realm = HeaderValue::from_static("Basic realm=\"countersign\", charset=\"UTF-8\"");
    response.headers_mut().insert(WWW_AUTHENTICATE, realm);
    response
}

/// The refusal of the application, in words for somebody at a terminal.
pub(crate) fn problem(problem: &Problem) -> Response {
    let status = StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if status.is_server_error() {
        tracing::error!(%problem, cause = problem.cause.as_deref().map(tracing::field::display), "git over HTTP");
    }
    // The next step that other surfaces name is a tool.
    let elsewhere = "Check the address, and that the person of the token has a role there.";
    let next = if problem.code == Code::NotFound { elsewhere } else { problem.next_action_of_people() };
    let said = format!("{} {next}", problem.message);
    let known = problem.facts.get("retry_after_s").and_then(serde_json::Value::as_i64);
    match known.or((status == StatusCode::SERVICE_UNAVAILABLE).then_some(SOON)) {
        Some(seconds) => later(status, &said, seconds),
        None if status == StatusCode::UNAUTHORIZED => ask(&said),
        None => plain(status, &said),
    }
}

/// Puts what is left of the limit on an answer.
pub(crate) fn tell_rate(headers: &mut HeaderMap, rate: Rate) {
    headers.insert("x-ratelimit-limit", HeaderValue::from(rate.limit));
    headers.insert("x-ratelimit-remaining", HeaderValue::from(rate.remaining));
    headers.insert("x-ratelimit-reset", HeaderValue::from(rate.reset_s));
}

/// What a fetch gets is true at this moment alone.
pub(crate) fn never_kept(headers: &mut HeaderMap) {
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, max-age=0, must-revalidate"));
    headers.insert(PRAGMA, HeaderValue::from_static("no-cache"));
}
