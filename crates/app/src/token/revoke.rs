//! Revoking a token of the caller's own.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, TokenId};
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;
use countersign_store::{Saved, token};

use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};

const REVOKE: Action =
    Action { name: "token.revoke", need: Need::Person(TokenScope::Api), effect: Effect::Destroy };

/// Ends a token at once. Doing so again changes nothing more; another person's is not found.
pub async fn revoke(app: &App, caller: &Caller, id: TokenId) -> Result<(), Problem> {
    through(
        app,
        caller,
        REVOKE,
        move |_| Box::pin(async move { Ok(Found::own(id)) }),
        |permit| save(app, permit),
    )
    .await
}

async fn save(app: &App, permit: Permit<TokenId>) -> Result<(), Problem> {
    let (id, owner, now) = (*permit.target(), (permit.person()?, permit.workspace()), permit.at());
    let record = permit.record(Outcome::Done).detail("token", id.to_string());
    let record_id = AuditId::new(app.uuid());
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            match token::revoke(t, id, owner, now).await? {
                Saved::Done(()) => record.append(t, record_id).await?,
                Saved::Changed => {}
                Saved::Missing => return Err(Problem::not_found("token")),
            }
            Ok::<_, Problem>(())
        })
    });
    saved.await
}
