//! Consent under way: what authorize was asked, behind a single-use handle that one session owns.

use countersign_core::time::Timestamp;

use crate::{Result, Saved, Tx, record};

record! {
    /// A stored authorization request.
    pub struct OauthRequest in "oauth_request" {
        /// SHA-256 of the handle.
        handle_hash: Vec<u8>,
        /// SHA-256 of the token of the session that it belongs to, once one looked at it.
        session_hash: Option<Vec<u8>>,
        /// The client's id.
        client_id: String,
        /// The name that the client gave itself, cleaned.
        client_name: String,
        /// Where the answer goes.
        redirect_uri: String,
        /// What to echo.
        state: Option<String>,
        /// What was asked for, of what we know.
        scopes: String,
        /// The PKCE challenge.
        challenge: String,
        /// The audience.
        resource: String,
        /// When it came, in milliseconds.
        created_at: i64,
        /// When nobody can answer it any more.
        expires_at: i64,
        /// When it was answered.
        used_at: Option<i64>,
        /// SHA-256 of the client's document, once it was shown.
        document_hash: Option<Vec<u8>>,
        /// The redirect URIs of that document, a JSON list.
        document_uris: Option<String>,
    }
}

const EXISTS: &str = "SELECT handle_hash FROM oauth_request WHERE handle_hash = $1";

const FIND: &str =
    "SELECT {cols} FROM oauth_request WHERE handle_hash = $1 AND used_at IS NULL AND expires_at > $2";

/// The request behind a handle that can still be answered, of whichever session.
pub async fn find_open(t: &Tx<'_>, handle: &[u8], now: Timestamp) -> Result<Option<OauthRequest>> {
    t.opt(FIND, &[&handle, &now.millis()]).await
}

const BIND: &str = "UPDATE oauth_request SET session_hash = $2 \
    WHERE handle_hash = $1 AND session_hash IS NULL AND used_at IS NULL AND expires_at > $3 RETURNING handle_hash";

/// Gives an open request to the first session that looks at it.
pub async fn bind(t: &Tx<'_>, handle: &[u8], session: &[u8], now: Timestamp) -> Result<Saved> {
    let done: Option<(Vec<u8>,)> = t.opt(BIND, &[&handle, &session, &now.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&handle]).await
}

/// What a document says, as far as it is pinned.
#[derive(Clone, Copy, Debug)]
pub struct Pinned<'a> {
    /// The name that it gives the client.
    pub client_name: &'a str,
    /// SHA-256 of its bytes.
    pub hash: &'a [u8],
    /// Its redirect URIs, a JSON list.
    pub uris: &'a str,
}

const PIN: &str = "UPDATE oauth_request SET client_name = $3, document_hash = $4, document_uris = $5 \
    WHERE handle_hash = $1 AND session_hash = $2 AND document_hash IS NULL AND used_at IS NULL RETURNING handle_hash";

/// Keeps what the client's document says with the request of this session; the first one stays.
pub async fn pin(t: &Tx<'_>, handle: &[u8], session: &[u8], pinned: Pinned<'_>) -> Result<Saved> {
    let Pinned { client_name, hash, uris } = pinned;
    let done: Option<(Vec<u8>,)> = t.opt(PIN, &[&handle, &session, &client_name, &hash, &uris]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&handle]).await
}

const MOVE: &str = "UPDATE oauth_request SET session_hash = $2 WHERE session_hash = $1 AND used_at IS NULL";

/// A session goes on under a new token, and so do the questions that it owns; tells how many.
pub async fn move_session(t: &Tx<'_>, old: &[u8], new: &[u8]) -> Result<u64> {
    t.exec(MOVE, &[&old, &new]).await
}

const TAKE: &str = "UPDATE oauth_request SET used_at = $3 \
    WHERE handle_hash = $1 AND session_hash = $2 AND used_at IS NULL AND expires_at > $3 RETURNING {cols}";

/// Takes the request to answer it: once, by its own session, in time.
pub async fn take(t: &Tx<'_>, handle: &[u8], session: &[u8], now: Timestamp) -> Result<Saved<OauthRequest>> {
    let done: Option<OauthRequest> = t.opt(TAKE, &[&handle, &session, &now.millis()]).await?;
    Saved::sort(t, done, EXISTS, &[&handle]).await
}

const FORGET: &str = "DELETE FROM oauth_request WHERE expires_at <= $1";

/// Drops what nobody can answer any more; tells how many.
pub async fn forget_expired(t: &Tx<'_>, now: Timestamp) -> Result<u64> {
    t.exec(FORGET, &[&now.millis()]).await
}

const DEAD: &str = "SELECT 1 FROM oauth_request WHERE expires_at <= $1 LIMIT 1";

/// Whether there is anything that [`forget_expired`] would drop.
pub async fn any_expired(t: &Tx<'_>, then: Timestamp) -> Result<bool> {
    t.any(DEAD, &[&then.millis()]).await
}
