//! Metadata documents of clients: fetched for a person who signed in, once for all who ask, kept by their headers.

mod budget;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use countersign_core::id::UserId;
use countersign_core::net::freshness::lifetime;
use countersign_core::net::https_url::HttpsUrl;
use countersign_core::oauth::document::{self, ClientDocument, KEPT, LARGEST, STALE_SECONDS};
use countersign_core::oauth::redirect::RedirectUri;
use countersign_core::problem::{Code, Problem};
use countersign_fetch::guard::GuardError;
use countersign_fetch::guarded::{self, Limits};
use countersign_store::client_document::{self, ClientDocumentRow};
use countersign_store::oauth_request::OauthRequest;
use futures_util::future::{BoxFuture, FutureExt as _, Shared};

use self::budget::Budget;
use crate::App;

const LIMITS: Limits = Limits { bytes: LARGEST, patience: Duration::from_secs(5) };

type Found = Result<Arc<ClientDocument>, Arc<Problem>>;

/// What is on its way, and how many may be.
#[derive(Default)]
pub(crate) struct Documents {
    flights: Mutex<HashMap<String, Shared<BoxFuture<'static, Found>>>>,
    budget: Budget,
}

impl Documents {
    /// Joins the fetch of this document that is on its way, or begins one for `person`. It goes on when who asked goes
    /// away.
    fn join(&self, app: &App, url: &HttpsUrl, person: UserId) -> Shared<BoxFuture<'static, Found>> {
        let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
        let id = url.as_str().to_owned();
        let begin = || {
            let (app, url, id) = (app.clone(), url.clone(), id.clone());
            let task = tokio::spawn(async move {
                let found = find(&app, &url, person).await.map(Arc::new).map_err(Arc::new);
                app.documents.flights.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
                found
            });
            task.map(|done| done.unwrap_or_else(|ended| Err(Arc::new(Problem::internal(ended)))))
                .boxed()
                .shared()
        };
        flights.entry(id.clone()).or_insert_with(begin).clone()
    }
}

/// The document of a client, for a person who is asked about it.
pub(super) async fn load(app: &App, url: &HttpsUrl, person: UserId) -> Result<Arc<ClientDocument>, Problem> {
    if !app.settings.client_documents {
        return Err(Problem::new(Code::ClientUnknown, "This server takes no clients by their document."));
    }
    app.documents.join(app, url, person).await.map_err(|problem| Problem {
        code: problem.code,
        message: problem.message.clone(),
        next_action: problem.next_action.clone(),
        facts: problem.facts.clone(),
        cause: problem.cause.as_ref().map(|cause| cause.to_string().into()),
    })
}

/// What is kept, while it is fresh; else what the host says; else, when the host is silent, what is kept once more.
/// What the host took back is forgotten, so that no later silence brings it up again.
async fn find(app: &App, url: &HttpsUrl, person: UserId) -> Result<ClientDocument, Problem> {
    let id = url.as_str().to_owned();
    let kept = app
        .db
        .read(move |t| Box::pin(async move { Ok::<_, Problem>(client_document::find(t, &id).await?) }))
        .await?;
    if let Some(row) = kept.as_ref().filter(|row| app.now().millis() < row.fresh_until) {
        return read(url, row);
    }
    let read_fresh = |row: ClientDocumentRow| match read(url, &row) {
        Ok(document) => Ok((row, document)),
        Err(problem) => Err(Failure::Said(problem)),
    };
    let serves = |row: &&ClientDocumentRow| app.now().millis() < row.fetched_at + STALE_SECONDS * 1000;
    match fetch(app, url, person).await.and_then(read_fresh) {
        Ok((row, document)) => {
            keep(app, row).await?;
            Ok(document)
        }
        Err(Failure::Silence(problem)) => match kept.as_ref().filter(serves) {
            Some(row) => read(url, row),
            None => Err(problem),
        },
        Err(Failure::Said(problem)) => {
            if let Some(row) = kept {
                forget(app, row).await?;
            }
            Err(problem)
        }
        Err(Failure::NotAsked(problem)) => Err(problem),
    }
}

/// A fetch that brought nothing.
enum Failure {
    /// The host said nothing about the document, so that an older one may serve (RFC 5861 §4).
    Silence(Problem),
    /// The host gave something else, or the address leads where no document may be.
    Said(Problem),
    /// Nobody was asked: a limit of our own.
    NotAsked(Problem),
}

async fn fetch(app: &App, url: &HttpsUrl, person: UserId) -> Result<ClientDocumentRow, Failure> {
    app.documents.budget.admit(person, url.host_text(), app.now()).map_err(Failure::NotAsked)?;
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
    if is_silence { Failure::Silence(problem) } else { Failure::Said(problem) }
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

async fn forget(app: &App, row: ClientDocumentRow) -> Result<(), Problem> {
    let forgotten = app.db.write(move |t| {
        Box::pin(async move {
            Ok::<_, Problem>(client_document::forget(t, &row.client_id, row.fetched_at).await?)
        })
    });
    forgotten.await
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
