//! Dynamic client registration: nothing is stored, the id is the registration.

use countersign_core::oauth::refusal::OAuthRefusal;
use countersign_core::oauth::registration;
use serde_json::Value;

use super::client_key;
use crate::App;

/// Registers a client (RFC 7591): the answer, or the refusal.
pub fn register(app: &App, metadata: &Value) -> Result<Value, OAuthRefusal> {
    registration::answer(&registration::read(metadata, app.now())?, &client_key(app))
}
