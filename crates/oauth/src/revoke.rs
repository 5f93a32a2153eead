//! The revocation endpoint (RFC 7009).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use countersign_app::oauth::{self, TokenFailure};
use http::StatusCode;

use crate::Shared;
use crate::answer::{form, json, refused, trouble};

/// Ends the family of a token of the client's own; for any other token it answers the same and does nothing.
pub(crate) async fn revoke(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let params = match form(request).await {
        Ok(params) => params,
        Err(refusal) => return refused(&refusal),
    };
    match oauth::give_back(&shared.app, &params).await {
        Ok(()) => json(StatusCode::OK, "{}"),
        Err(TokenFailure::Refused(refusal)) => refused(&refusal),
        Err(TokenFailure::Trouble(problem)) => trouble(&problem),
    }
}
