//! Authorize: checks the request, keeps it on our side, and sends the person to consent with a handle.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use countersign_core::oauth::authorize::{
    self, AuthorizeRefusal, AuthorizeRequest, Browser, Client, Documents, LocalRefusal, Rules,
};
use countersign_core::oauth::params::Params;
use countersign_core::oauth::redirect::RedirectUri;
use countersign_core::problem::Problem;
use countersign_core::time::Timestamp;
use countersign_store::oauth_request::OauthRequest;

use super::{client_key, urls};
use crate::App;
use crate::secret::SecretHash;

/// How long a person has to answer.
const HANDLE_SECONDS: i64 = 10 * 60;

/// Why there is no consent to ask for.
#[derive(Debug)]
pub enum AuthorizeFailure {
    /// Tell the person, on a page of ours; nothing is sent anywhere.
    Local(LocalRefusal),
    /// Tell the client, by sending the browser to this URL.
    Redirect(String),
    /// We could not tell.
    Trouble(Problem),
}

impl From<Problem> for AuthorizeFailure {
    fn from(problem: Problem) -> Self {
        Self::Trouble(problem)
    }
}

/// Keeps a good request and gives the URL of its consent page.
pub async fn begin_authorize(
    app: &App,
    params: &Params,
    browser: Browser,
) -> Result<String, AuthorizeFailure> {
    let (urls, key) = (urls(app)?, client_key(app));
    let resource = urls.resource();
    let documents = if app.settings.client_documents { Documents::Taken } else { Documents::Refused };
    let rules =
        Rules { key: &key, documents, listed: &app.settings.custom_redirects, resource: &resource, browser };
    let request = match authorize::check(params, rules) {
        Ok(request) => request,
        Err(AuthorizeRefusal::Local(refusal)) => return Err(AuthorizeFailure::Local(refusal)),
        Err(AuthorizeRefusal::Redirect { redirect_uri, state, refusal }) => {
            let error = [("error", refusal.code.as_str()), ("error_description", refusal.description)];
            return Err(AuthorizeFailure::Redirect(answer(app, &redirect_uri, &error, state.as_deref())?));
        }
    };
    let handle = URL_SAFE_NO_PAD.encode(app.random::<32>());
    let row = row(request, &handle, resource, app.now());
    let kept =
        app.db.write(move |t| Box::pin(async move { row.insert(t).await.map_err(Problem::from) })).await;
    kept?;
    Ok(urls.consent(&handle))
}

fn row(request: AuthorizeRequest, handle: &str, resource: String, now: Timestamp) -> OauthRequest {
    OauthRequest {
        handle_hash: SecretHash::of(handle).to_vec(),
        session_hash: None,
        client_id: request.client_id,
        client_name: match request.client {
            Client::Registered(name) => name,
            // Its document tells more, once the person has signed in.
            Client::Document(url) => url.place(),
        },
        redirect_uri: request.redirect_uri.as_str().to_owned(),
        state: request.state,
        scopes: request.scopes.to_string(),
        challenge: request.challenge.as_str().to_owned(),
        resource,
        created_at: now.millis(),
        expires_at: now.plus_seconds(HANDLE_SECONDS).millis(),
        used_at: None,
        document_hash: None,
        document_uris: None,
    }
}

/// The URL that takes an answer to the client: what we say, its state, and who says it (RFC 9207).
pub(super) fn answer(
    app: &App,
    redirect_uri: &RedirectUri,
    said: &[(&str, &str)],
    state: Option<&str>,
) -> Result<String, Problem> {
    let urls = urls(app)?;
    let mut params = said.to_vec();
    params.extend(state.map(|state| ("state", state)));
    if app.settings.send_issuer {
        params.push(("iss", urls.issuer()));
    }
    Ok(redirect_uri.answer(&params))
}
