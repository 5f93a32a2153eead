//! Client metadata documents: the client's id is the https URL of a document that tells who it is
//! (draft-ietf-oauth-client-id-metadata-document).

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::client_id::NAME_CHARACTERS;
use super::redirect::RedirectUri;
use crate::net::freshness::Bounds;
use crate::net::https_url::{Host, HttpsUrl};
use crate::text::clean_name;

/// The most bytes of a document that are read.
pub const LARGEST: usize = 5 * 1024;
/// How long a document may be kept by its own headers: five minutes to a day, an hour when they say nothing.
pub const KEPT: Bounds = Bounds { least: 5 * 60, most: 24 * 60 * 60, unsaid: 60 * 60 };
/// For how many seconds after it came a document may still serve when its host does not answer.
pub const STALE_SECONDS: i64 = 7 * 24 * 60 * 60;

/// Members that only a client with a secret has.
const SECRETS: [&str; 2] = ["client_secret", "client_secret_expires_at"];

/// Reads a client id that is the URL of a document: https, a name of the DNS with a dot in it, and a path.
pub fn client_url(id: &str) -> Option<HttpsUrl> {
    let url = HttpsUrl::parse(id).ok()?;
    let named = matches!(url.host(), Host::Name(name) if name.contains('.'));
    (named && url.path().len() > 1).then_some(url)
}

/// What a document says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientDocument {
    /// The name that it gives the client, cleaned; its place when it gives none.
    pub name: String,
    /// Where it may be answered, of what can be used at all; at least one.
    pub redirect_uris: Vec<RedirectUri>,
    /// SHA-256 of its bytes.
    pub hash: [u8; 32],
}

/// Why a document is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentRefusal {
    /// Another media type.
    #[error("it is not served as application/json")]
    MediaType,
    /// Not an object.
    #[error("it is not a JSON object")]
    NotAnObject,
    /// It is another client's, moved here or copied.
    #[error("its `client_id` is not its own address")]
    OtherClient,
    /// It gives a secret away, or expects one.
    #[error("it holds a client secret, which no public client has")]
    Secret,
    /// It authenticates in a way that is not offered.
    #[error("it does not list `none` as a way to authenticate")]
    Authentication,
    /// Nowhere to answer.
    #[error("it names no redirect URI that can be used")]
    RedirectUris,
}

/// Reads the document that came from `url`.
pub fn read(url: &HttpsUrl, media_type: &str, body: &[u8]) -> Result<ClientDocument, DocumentRefusal> {
    let is_json = media_type == "application/json"
        || media_type.strip_prefix("application/").is_some_and(|kind| kind.ends_with("+json"));
    if !is_json {
        return Err(DocumentRefusal::MediaType);
    }
    let Ok(Value::Object(members)) = serde_json::from_slice(body) else {
        return Err(DocumentRefusal::NotAnObject);
    };
    if members.get("client_id").and_then(Value::as_str) != Some(url.as_str()) {
        return Err(DocumentRefusal::OtherClient);
    }
    if SECRETS.iter().any(|secret| members.contains_key(*secret)) {
        return Err(DocumentRefusal::Secret);
    }
    if !admits_none(&members) {
        return Err(DocumentRefusal::Authentication);
    }
    let listed = members.get("redirect_uris").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    // One that may never be used does not take the others along: documents are written for many servers.
    let redirect_uris: Vec<RedirectUri> =
        listed.iter().filter_map(|uri| RedirectUri::parse(uri.as_str()?).ok()).collect();
    if redirect_uris.is_empty() {
        return Err(DocumentRefusal::RedirectUris);
    }
    let name =
        clean_name(members.get("client_name").and_then(Value::as_str).unwrap_or_default(), NAME_CHARACTERS);
    let name = if name.is_empty() { url.place() } else { name };
    Ok(ClientDocument { name, redirect_uris, hash: Sha256::digest(body).into() })
}

/// Whether the client can do without authentication: it says so in one of the two members, or names none at all.
fn admits_none(members: &Map<String, Value>) -> bool {
    let (one, many) =
        (members.get("token_endpoint_auth_method"), members.get("token_endpoint_auth_methods_supported"));
    let listed =
        many.and_then(Value::as_array).is_some_and(|list| list.iter().any(|method| method == "none"));
    one.is_some_and(|method| method == "none") || listed || (one.is_none() && many.is_none())
}

#[cfg(test)]
mod tests;
