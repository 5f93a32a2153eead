//! Dynamic client registration (RFC 7591).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use countersign_app::oauth;
use countersign_core::oauth::refusal::{OAuthError, OAuthRefusal};
use http::StatusCode;

use crate::Shared;
use crate::answer::{json, json_body, refused};

/// The longest registration that is read.
const LIMIT: usize = 8 * 1024;

const NOT_METADATA: OAuthRefusal = OAuthRefusal::new(
    OAuthError::InvalidClientMetadata,
    "Send client metadata as application/json, at most 8 KiB.",
);

const SWITCHED_OFF: OAuthRefusal = OAuthRefusal::new(
    OAuthError::AccessDenied,
    "This server registers no clients: use one that has a client id metadata document, or ask the operator.",
);

/// Registers a client and keeps nothing.
pub(crate) async fn register(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    if !shared.app.settings.client_registration {
        return refused(&SWITCHED_OFF);
    }
    let Some(metadata) = json_body(request, LIMIT).await else {
        return refused(&NOT_METADATA);
    };
    match oauth::register(&shared.app, &metadata) {
        Ok(answer) => json(StatusCode::CREATED, answer.to_string()),
        Err(refusal) => refused(&refusal),
    }
}
