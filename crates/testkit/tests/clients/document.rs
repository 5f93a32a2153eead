//! The metadata document by which every client of these tests makes itself known
//! (draft-ietf-oauth-client-id-metadata-document).

use serde_json::json;

/// The name of its host.
pub(crate) const SITE: &str = "clients.example";
/// Its address, which is the id of the client.
pub(crate) const ADDRESS: &str = "https://clients.example/stock.json";
/// How the address stands in a query.
pub(crate) const IN_QUERY: &str = "client_id=https%3A%2F%2Fclients.example%2Fstock.json";

/// What it says. The ports are those of this computer, of which any will do (RFC 8252 §7.3).
pub(crate) fn text() -> String {
    json!({
        "client_id": ADDRESS,
        "client_name": "Stock clients",
        "redirect_uris": [
            "http://127.0.0.1/callback",
            "http://127.0.0.1/oauth/callback",
            "http://localhost/oauth/callback",
        ],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    })
    .to_string()
}
