//! The authorization endpoint (RFC 6749 §3.1): on to consent, back to the client, or a page of ours.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Query, Request, State};
use axum::response::{IntoResponse as _, Response};
use countersign_app::oauth::{self, AuthorizeFailure};
use countersign_core::oauth::authorize::{Browser, LocalRefusal};
use countersign_core::oauth::params::Params;
use countersign_core::problem::{Code, Problem};
use http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue, Method, StatusCode};

use crate::Shared;
use crate::answer::{NO_STORE, log, status, tell_wait};
use crate::limit::Visitor;

const QUIET: (HeaderName, HeaderValue) = (REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
const PAGE: [(HeaderName, HeaderValue); 6] = [
    (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
    (
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    NO_STORE,
    QUIET,
];

/// Begins an authorization.
pub(crate) async fn authorize(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
) -> Response {
    let browser = if visitor.0.is_some() { Browser::SignedIn } else { Browser::Unknown };
    let Ok(Query(pairs)) = Query::<Vec<(String, String)>>::try_from_uri(request.uri()) else {
        return page(&shared, &LocalRefusal::UnknownClient.problem());
    };
    match oauth::begin_authorize(&shared.app, &Params::new(pairs), browser).await {
        Ok(url) | Err(AuthorizeFailure::Redirect(url)) => redirect(&shared, &url),
        Err(AuthorizeFailure::Local(refusal)) => page(&shared, &refusal.problem()),
        Err(AuthorizeFailure::Trouble(problem)) => page(&shared, &problem),
    }
}

/// The endpoint is not for this method.
pub(crate) async fn no_method(State(shared): State<Arc<Shared>>, method: Method) -> Response {
    let message = format!("{method} is not served at this address.");
    page(&shared, &Problem::new(Code::MethodNotAllowed, message))
}

fn redirect(shared: &Shared, url: &str) -> Response {
    match HeaderValue::from_str(url) {
        Ok(url) => (StatusCode::FOUND, [(LOCATION, url), NO_STORE, QUIET]).into_response(),
        Err(error) => page(shared, &Problem::internal(error)),
    }
}

/// A page that tells a refusal, and nothing else.
pub(crate) fn page(shared: &Shared, problem: &Problem) -> Response {
    log(problem);
    let mut response = (status(problem), PAGE, (shared.page)(problem)).into_response();
    tell_wait(&mut response, problem);
    response
}
