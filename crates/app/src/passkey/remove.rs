//! Removing a passkey of the caller's own, inside the sudo window.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, PasskeyId};
use countersign_core::problem::Problem;
use countersign_store::{Removed, passkey};

use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};
use crate::session::require_sudo;

const REMOVE: Action = Action { name: "passkey.remove", need: Need::Browser, effect: Effect::Destroy };

/// Removes a passkey: it signs nobody in from now on. Sessions that it began go on. Another person's is not found.
pub async fn remove(app: &App, caller: &Caller, id: PasskeyId) -> Result<(), Problem> {
    through(
        app,
        caller,
        REMOVE,
        move |_| Box::pin(async move { Ok(Found::own(id)) }),
        |permit| save(app, permit),
    )
    .await
}

async fn save(app: &App, permit: Permit<PasskeyId>) -> Result<(), Problem> {
    require_sudo(permit.caller(), permit.at())?;
    let (id, user) = (*permit.target(), permit.person()?);
    let record = permit.record(Outcome::Done).detail("passkey", id.to_string());
    let record_id = AuditId::new(app.uuid());
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            match passkey::remove(t, id, user).await? {
                Removed::One => record.append(t, record_id).await?,
                Removed::Nothing => return Err(Problem::not_found("passkey")),
            }
            Ok::<_, Problem>(())
        })
    });
    saved.await
}
