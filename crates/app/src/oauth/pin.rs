//! The document of a client, read when a person is first asked about it, and kept with the question: what was shown
//! is what is decided on, and no token needs the document again.

use countersign_core::id::UserId;
use countersign_core::oauth::authorize::LocalRefusal;
use countersign_core::oauth::document::{ClientDocument, client_url};
use countersign_core::problem::Problem;
use countersign_core::time::Timestamp;
use countersign_store::oauth_request::{self, OauthRequest, Pinned};
use countersign_store::{Saved, Tx};

use super::document::{self, is_missing, write_uris};
use super::show::{not_open, stored_uri};
use crate::App;
use crate::secret::SecretHash;

/// The question with its client known. Refused, and nothing sent to the client, when its document does not list where
/// it wants to be answered.
pub(super) async fn known(
    app: &App,
    request: OauthRequest,
    (person, session): (UserId, SecretHash),
    now: Timestamp,
) -> Result<OauthRequest, Problem> {
    let Some(url) = client_url(&request.client_id).filter(|_| is_missing(&request)) else {
        return Ok(request);
    };
    let document = document::load(app, &url, person).await?;
    let asked = stored_uri(&request)?;
    let admitted = document.redirect_uris.iter().any(|uri| uri.admits(&asked));
    if !admitted || !asked.usable(&app.settings.custom_redirects) {
        return Err(LocalRefusal::RedirectUri.problem());
    }
    let handle = request.handle_hash;
    let pinned =
        app.db.write(move |t| Box::pin(async move { pin(t, &handle, &session, &document, now).await }));
    pinned.await
}

/// Keeps what the document says, and gives the question as it stands then: of two tabs the first one pins.
async fn pin(
    t: &Tx<'_>,
    handle: &[u8],
    session: &SecretHash,
    document: &ClientDocument,
    now: Timestamp,
) -> Result<OauthRequest, Problem> {
    let uris = write_uris(&document.redirect_uris);
    let pinned = Pinned { client_name: &document.name, hash: &document.hash, uris: &uris };
    match oauth_request::pin(t, handle, session.as_bytes(), pinned).await? {
        Saved::Done(()) | Saved::Changed => {}
        Saved::Missing => return Err(not_open()),
    }
    let request = oauth_request::find_open(t, handle, now).await?;
    request.filter(|request| !is_missing(request)).ok_or_else(not_open)
}
