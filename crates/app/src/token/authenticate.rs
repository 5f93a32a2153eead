//! The caller that a token makes: one read, and a note of the use at most once a minute.

use std::collections::BTreeSet;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{TokenId, UserId, WorkspaceId};
use countersign_core::problem::Problem;
use countersign_core::scope::{Scopes, TokenScopes};
use countersign_core::time::Timestamp;
use countersign_store::{Error, Saved, token};

use crate::App;
use crate::secret::{Secret, SecretKind};

/// How exactly the last use is known.
const USED_MS: i64 = 60_000;

/// The caller of a token's secret. `None` is any other text: no such token, over, revoked, or its person is no
/// longer in the workspace or may not sign in.
pub async fn authenticate(app: &App, secret: &str) -> Result<Option<Caller>, Problem> {
    let Some(secret) = Secret::parse(SecretKind::Token, secret) else {
        return Ok(None);
    };
    let (hash, now) = (secret.hash(), app.now());
    let live = app
        .db
        .glance(move |t| Box::pin(async move { token::find_live(t, hash.as_bytes(), now).await }))
        .await;
    let Some((id, user, workspace, scopes, used_at)) = live.map_err(|error: Error| Problem::from(error))?
    else {
        return Ok(None);
    };
    let unreadable = |_| Problem::internal("an id in the store is no UUID");
    let id = TokenId::parse(&id).map_err(unreadable)?;
    if used_at.is_none_or(|used_at| now.millis() - used_at >= USED_MS) {
        note_use(app, id, used_at, now).await;
    }
    Ok(Some(Caller {
        principal: Principal::Token {
            id,
            user: UserId::parse(&user).map_err(unreadable)?,
            scopes: TokenScopes::parse(&scopes),
        },
        workspace: Some(WorkspaceId::parse(&workspace).map_err(unreadable)?),
        scopes: Scopes::default(),
        switched_off: BTreeSet::new(),
    }))
}

/// A use that cannot be noted is still a use.
async fn note_use(app: &App, id: TokenId, seen: Option<i64>, now: Timestamp) {
    let saved = app.db.write(move |t| Box::pin(async move { token::save_used(t, id, seen, now).await }));
    match saved.await {
        // Another call of the token noted it meanwhile.
        Ok(Saved::Done(()) | Saved::Changed | Saved::Missing) => {}
        Err(error) => tracing::warn!(%error, "the use of a token was not noted"),
    }
}
