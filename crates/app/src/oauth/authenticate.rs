//! From a bearer token to a caller: one indexed read, nothing cached.

use std::collections::BTreeSet;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{ConnectionId, UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::Scopes;
use countersign_core::time::Timestamp;
use countersign_store::oauth_access::{self, Bearer};

use super::urls;
use crate::App;
use crate::catalogue::Catalogue;
use crate::connection::view::ConnectionState;
use crate::secret::{Secret, SecretHash, SecretKind};

/// The caller that an access token makes. Refused with `unauthenticated`, or with `connection_revoked` while a
/// token of a revoked connection would still be alive.
pub async fn authenticate(app: &App, bearer: &str) -> Result<Caller, Problem> {
    let secret = Secret::parse(SecretKind::Access, bearer).ok_or_else(not_good)?;
    let (hash, now) = (secret.hash(), app.now());
    let key = hash.clone();
    let found = app
        .db
        .glance(move |t| {
            Box::pin(async move { Ok::<_, Problem>(oauth_access::find(t, key.as_bytes()).await?) })
        })
        .await?;
    let found = found.ok_or_else(not_good)?;
    let caller = judge(&found, now, &urls(app)?.resource(), &app.catalogue)?;
    if found.presented_at.is_none() {
        note_first_use(app, hash, now).await?;
    } else if found.used_at.is_none_or(|at| at < found.created_at)
        && let Some(connection) = caller.connection()
    {
        app.journal.used(connection, now);
    }
    Ok(caller)
}

fn judge(found: &Bearer, now: Timestamp, resource: &str, tools: &Catalogue) -> Result<Caller, Problem> {
    if now.millis() >= found.expires_at || found.resource != resource {
        return Err(not_good());
    }
    match ConnectionState::parse(&found.status) {
        Some(ConnectionState::Active) => {}
        Some(ConnectionState::Revoked) => {
            return Err(Problem::new(Code::ConnectionRevoked, "The owner revoked this connection."));
        }
        Some(ConnectionState::Pending) | None => return Err(not_good()),
    }
    if found.family_revoked_at.is_some() || found.disabled_at.is_some() {
        return Err(not_good());
    }
    let unreadable = |_| Problem::internal("an id in the store is no UUID");
    let id = ConnectionId::parse(&found.connection_id).map_err(unreadable)?;
    let owner = UserId::parse(&found.user_id).map_err(unreadable)?;
    let switched_off: BTreeSet<String> =
        serde_json::from_str(&found.switched_off).map_err(Problem::internal)?;
    Ok(Caller {
        principal: Principal::Connection { id, owner },
        workspace: Some(WorkspaceId::parse(&found.workspace_id).map_err(unreadable)?),
        scopes: Scopes::parse(&found.scopes).intersect(&Scopes::parse(&found.connection_scopes)),
        switched_off: tools.switched_off(switched_off),
    })
}

/// The first use of a token that replaces another shows that the answer with it arrived, which the refresh rules ask
/// for; so the call waits for it.
async fn note_first_use(app: &App, hash: SecretHash, now: Timestamp) -> Result<(), Problem> {
    app.db
        .write(move |t| {
            Box::pin(async move { Ok::<_, Problem>(oauth_access::present(t, hash.as_bytes(), now).await?) })
        })
        .await
}

/// The one answer to every token that is not good: it does not tell why.
fn not_good() -> Problem {
    Problem::new(Code::Unauthenticated, "The access token is not good, or not any more.")
        .next("Refresh the token or authorize again, then repeat the call.")
}
