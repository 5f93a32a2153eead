//! The token endpoint (RFC 6749 §3.2).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use countersign_app::oauth::{self, TokenFailure};
use http::StatusCode;

use crate::Shared;
use crate::answer::{form, json, refused, trouble};

/// Exchanges a code, or refreshes.
pub(crate) async fn token(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let params = match form(request).await {
        Ok(params) => params,
        Err(refusal) => return refused(&refusal),
    };
    match oauth::token(&shared.app, &params).await {
        Ok(answer) => json(StatusCode::OK, answer.as_bytes().to_vec()),
        Err(TokenFailure::Refused(refusal)) => refused(&refusal),
        Err(TokenFailure::Trouble(problem)) => trouble(&problem),
    }
}
