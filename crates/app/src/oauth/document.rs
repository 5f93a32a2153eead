//! Metadata documents of clients: fetched for a person who signed in, once for all who ask, kept by their headers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use countersign_core::net::freshness::lifetime;
use countersign_core::net::https_url::HttpsUrl;
use countersign_core::oauth::document::{self, ClientDocument, KEPT, LARGEST, STALE_SECONDS};
use countersign_core::oauth::redirect::RedirectUri;
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_fetch::guard::GuardError;
use countersign_fetch::guarded::{self, Limits};
use countersign_store::client_document::{self, ClientDocumentRow};
use countersign_store::oauth_request::OauthRequest;
use futures_util::future::{BoxFuture, FutureExt as _, Shared};

use crate::App;
use crate::gate::RateLimit;

const LIMITS: Limits = Limits { bytes: LARGEST, patience: Duration::from_secs(5) };
const MINUTE: Duration = Duration::from_mins(1);
/// Documents that are asked of one host in a minute.
const OF_ONE_HOST: u32 = 10;
/// Of all hosts together.
const OF_ALL: u32 = 60;

type Found = Result<Arc<ClientDocument>, Arc<Problem>>;

/// What is on its way, and how many may be.
pub(crate) struct Documents {
    flights: Mutex<HashMap<String, Shared<BoxFuture<'static, Found>>>>,
    of_one_host: RateLimit<String>,
    of_all: RateLimit<()>,
}

impl Default for Documents {
    fn default() -> Self {
        Self {
            flights: Mutex::default(),
            of_one_host: RateLimit::new(OF_ONE_HOST, MINUTE),
            of_all: RateLimit::new(OF_ALL, MINUTE),
        }
    }
}

impl Documents {
    /// Joins the fetch of this document that is on its way, or begins one. It goes on when who asked goes away.
    fn join(&self, app: &App, url: &HttpsUrl) -> Shared<BoxFuture<'static, Found>> {
        let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
        let id = url.as_str().to_owned();
        let begin = || {
            let (app, url, id) = (app.clone(), url.clone(), id.clone());
            let task = tokio::spawn(async move {
                let found = find(&app, &url).await.map(Arc::new).map_err(Arc::new);
                app.documents.flights.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
                found
            });
            task.map(|done| done.unwrap_or_else(|ended| Err(Arc::new(Problem::internal(ended)))))
                .boxed()
                .shared()
        };
        flights.entry(id.clone()).or_insert_with(begin).clone()
    }

    /// Counts one request to a stranger.
    fn admit(&self, host: String, now: Timestamp) -> Result<(), Problem> {
        let rates = [self.of_one_host.hit(host, now), self.of_all.hit((), now)];
        let Some(full) = rates.iter().filter(|rate| !rate.admitted).max_by_key(|rate| rate.reset_s) else {
            return Ok(());
        };
        let wait = full.reset_s;
        Err(Problem::new(Code::RateLimited, "Too many documents of clients are asked for.")
            .next(format!("Wait {wait} seconds, then load this page again."))
            .fact("retry_after_s", wait))
    }
}

/// The document of a client, for a person who is asked about it.
pub(super) async fn load(app: &App, url: &HttpsUrl) -> Result<Arc<ClientDocument>, Problem> {
    if !app.settings.client_documents {
        return Err(Problem::new(Code::ClientUnknown, "This server takes no clients by their document."));
    }
    app.documents.join(app, url).await.map_err(|problem| Problem {
        code: problem.code,
        message: problem.message.clone(),
        next_action: problem.next_action.clone(),
        facts: problem.facts.clone(),
        cause: problem.cause.as_ref().map(|cause| cause.to_string().into()),
    })
}

/// What is kept, while it is fresh; else what the host says; else, when the host is silent, what is kept once more.
async fn find(app: &App, url: &HttpsUrl) -> Result<ClientDocument, Problem> {
    let id = url.as_str().to_owned();
    let kept = app
        .db
        .read(move |t| Box::pin(async move { Ok::<_, Problem>(client_document::find(t, &id).await?) }))
        .await?;
    if let Some(row) = kept.as_ref().filter(|row| app.now().millis() < row.fresh_until) {
        return read(url, row);
    }
    let failure = match fetch(app, url).await {
        Ok(row) => {
            let document = read(url, &row)?;
            keep(app, row).await?;
            return Ok(document);
        }
        Err(failure) => failure,
    };
    let serves = |row: &&ClientDocumentRow| app.now().millis() < row.fetched_at + STALE_SECONDS * 1000;
    match kept.as_ref().filter(|_| failure.is_silence).filter(serves) {
        Some(row) => read(url, row),
        None => Err(failure.problem),
    }
}

/// A fetch that brought nothing.
struct Failure {
    problem: Problem,
    /// Whether the host said nothing about the document, so that an older one may serve (RFC 5861 §4).
    is_silence: bool,
}

async fn fetch(app: &App, url: &HttpsUrl) -> Result<ClientDocumentRow, Failure> {
    app.documents
        .admit(url.host_text(), app.now())
        .map_err(|problem| Failure { problem, is_silence: true })?;
    let fetched = guarded::get(url, "application/json", &*app.resolver, LIMITS).await.map_err(failed)?;
    let now = app.now();
    Ok(ClientDocumentRow {
        client_id: url.as_str().to_owned(),
        media_type: fetched.media_type,
        body: fetched.body,
        fetched_at: now.millis(),
        fresh_until: now.plus_seconds(lifetime(&fetched.caching, KEPT)).millis(),
    })
}

fn failed(error: GuardError) -> Failure {
    let is_silence = match &error {
        GuardError::NotFound { .. }
        | GuardError::Client(_)
        | GuardError::Unreachable { .. }
        | GuardError::TimedOut { .. } => true,
        GuardError::Status { status, .. } => *status >= 500 || *status == 429,
        GuardError::Url(_)
        | GuardError::NotPublic { .. }
        | GuardError::Redirected { .. }
        | GuardError::Encoded { .. }
        | GuardError::TooLarge { .. } => false,
    };
    let message = format!("The client is known by a document that cannot be read: {error}.");
    let problem = Problem::new(Code::ClientDocumentUnavailable, message).because(error);
    Failure { problem, is_silence }
}

fn read(url: &HttpsUrl, row: &ClientDocumentRow) -> Result<ClientDocument, Problem> {
    document::read(url, &row.media_type, &row.body).map_err(|refusal| {
        let message = format!("The document that should tell who the client is cannot be used: {refusal}.");
        Problem::new(Code::ClientDocumentInvalid, message)
    })
}

async fn keep(app: &App, row: ClientDocumentRow) -> Result<(), Problem> {
    let kept = app
        .db
        .write(move |t| Box::pin(async move { Ok::<_, Problem>(client_document::save(t, &row).await?) }));
    kept.await
}

/// Whether the client of a request is known by a document that nobody was shown yet.
pub(super) fn is_missing(request: &OauthRequest) -> bool {
    request.document_hash.is_none() && document::client_url(&request.client_id).is_some()
}

/// Redirect URIs as the store keeps them.
pub(super) fn write_uris(uris: &[RedirectUri]) -> String {
    serde_json::Value::from(uris.iter().map(RedirectUri::as_str).collect::<Vec<_>>()).to_string()
}

/// Redirect URIs as the store kept them.
pub(super) fn read_uris(text: &str) -> Result<Vec<RedirectUri>, Problem> {
    let uris: Vec<String> = serde_json::from_str(text).map_err(Problem::internal)?;
    uris.iter().map(|uri| RedirectUri::parse(uri).map_err(Problem::internal)).collect()
}
