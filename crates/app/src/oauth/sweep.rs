//! Drops what died: handles at once, tokens a day later, documents when they are too old for anything.

use countersign_core::oauth::document::STALE_SECONDS;
use countersign_core::problem::Problem;
use countersign_core::time::Timestamp;
use countersign_store::{Tx, client_document, oauth_access, oauth_code, oauth_refresh, oauth_request};

use crate::App;

/// How long the dead are kept: a replay of a code is recognised for so long.
const KEPT_SECONDS: i64 = 24 * 60 * 60;

/// Drops dead handles, codes, tokens and documents, and tells how many; a timer wakes it. An idle server only reads.
pub async fn sweep(app: &App) -> Result<u64, Problem> {
    let now = app.now();
    let then = now.plus_seconds(-KEPT_SECONDS);
    let due = app.db.read(move |t| Box::pin(async move { any_due(t, now, then).await }));
    if !due.await? {
        return Ok(0);
    }
    app.db
        .write(move |t| {
            Box::pin(async move {
                let requests = oauth_request::forget_expired(t, now).await?;
                let codes = oauth_code::forget_expired(t, then).await?;
                let access = oauth_access::forget_expired(t, then).await?;
                let refresh = oauth_refresh::forget_expired(t, then).await?;
                let documents = client_document::forget_old(t, oldest(now)).await?;
                Ok::<_, Problem>(requests + codes + access + refresh + documents)
            })
        })
        .await
}

async fn any_due(t: &Tx<'_>, now: Timestamp, then: Timestamp) -> Result<bool, Problem> {
    Ok(oauth_request::any_expired(t, now).await?
        || oauth_code::any_expired(t, then).await?
        || oauth_access::any_expired(t, then).await?
        || oauth_refresh::any_expired(t, then).await?
        || client_document::any_old(t, oldest(now)).await?)
}

/// Documents that came before this serve no more.
const fn oldest(now: Timestamp) -> Timestamp {
    now.plus_seconds(-STALE_SECONDS)
}
