//! Drops what died: handles at once, tokens a day later.

use countersign_core::problem::Problem;
use countersign_store::{Tx, oauth_access, oauth_code, oauth_refresh, oauth_request};

use crate::App;

/// How long the dead are kept: a replay of a code is recognised for so long.
const KEPT_SECONDS: i64 = 24 * 60 * 60;

/// Drops dead handles, codes and tokens, and tells how many; a timer wakes it. An idle server only reads.
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
                Ok::<_, Problem>(requests + codes + access + refresh)
            })
        })
        .await
}

async fn any_due(
    t: &Tx<'_>,
    now: countersign_core::time::Timestamp,
    then: countersign_core::time::Timestamp,
) -> Result<bool, Problem> {
    Ok(oauth_request::any_expired(t, now).await?
        || oauth_code::any_expired(t, then).await?
        || oauth_access::any_expired(t, then).await?
        || oauth_refresh::any_expired(t, then).await?)
}
