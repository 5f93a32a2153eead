//! The REST API: one file a noun; each handler builds a caller, parses, calls one use case, and answers JSON.

pub(crate) mod answer;
pub(crate) mod audit;
mod change;
pub(crate) mod commit;
pub(crate) mod condition;
pub(crate) mod connection;
pub(crate) mod import;
pub(crate) mod invitation;
pub(crate) mod listing;
pub(crate) mod member;
pub(crate) mod names;
pub(crate) mod people;
pub(crate) mod person;
pub(crate) mod project;
pub(crate) mod proposal;
pub(crate) mod repository;
pub(crate) mod spot;
pub(crate) mod token;
pub(crate) mod tree;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::response::{IntoResponse, Response};
use countersign_core::api::Refusal;
use countersign_core::problem::{Code, Problem};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::de::DeserializeOwned;

use crate::answer::{status_and_log, tell_wait};
use crate::state::Web;

/// A problem as a problem document (RFC 9457).
#[derive(Debug)]
pub(crate) struct ApiProblem(pub(crate) Problem);

impl From<Problem> for ApiProblem {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

impl IntoResponse for ApiProblem {
    fn into_response(self) -> Response {
        let status = status_and_log(&self.0);
        let mut response = (status, Json(Refusal::from(&self.0))).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, PROBLEM_JSON);
        if status == StatusCode::UNAUTHORIZED {
            // RFC 9110 §11.6.1: a 401 names the way in.
            headers
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"countersign\""));
        }
        tell_wait(headers, &self.0);
        response
    }
}

/// What an API handler answers.
pub(crate) type Answer<T> = Result<Json<T>, ApiProblem>;

/// A body of JSON. What does not fit is a problem document like every other refusal.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Web> for Body<T> {
    type Rejection = ApiProblem;
    async fn from_request(request: Request, web: &Web) -> Result<Self, Self::Rejection> {
        if !is_json(request.headers()) {
            return Err(Problem::invalid("content-type", "application/json").into());
        }
        let bytes = Bytes::from_request(request, web).await;
        let bytes = bytes.map_err(|error| unread("body", error.status(), error.body_text()))?;
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(|error| Problem::invalid("body", rule(&error)).into())
    }
}

/// A body that could not be read: too large, or broken off.
pub(crate) fn unread(field: &str, status: StatusCode, why: String) -> Problem {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return Problem::new(Code::BodyTooLarge, "The body is larger than this route takes.");
    }
    Problem::invalid(field, why)
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// What a body should have been, without what it was: that may be a password in the wrong place.
fn rule(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if text.starts_with("missing field") || text.starts_with("unknown field") {
        return text;
    }
    let expected = text.rsplit_once("expected ").map_or("", |(_, expected)| expected);
    if error.is_data() && !expected.is_empty() {
        return format!("expected {expected}");
    }
    format!("JSON that is whole, at line {} column {}", error.line(), error.column())
}

/// The fields of a query, with a problem for one that cannot be read.
#[derive(Debug)]
pub(crate) struct Fields<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Web> for Fields<T> {
    type Rejection = ApiProblem;
    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Self::Rejection> {
        crate::query::read(parts).map(Self).map_err(ApiProblem)
    }
}

/// The ids in an address. What is no id names nothing.
#[derive(Debug)]
pub(crate) struct Ids<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Web> for Ids<T> {
    type Rejection = ApiProblem;
    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Self::Rejection> {
        match Path::<T>::from_request_parts(parts, web).await {
            Ok(Path(ids)) => Ok(Self(ids)),
            Err(_) => Err(Problem::new(Code::NotFound, "The address holds something that is no id.").into()),
        }
    }
}
