//! Signing out: the session ends in the store, whatever the browser keeps.

use countersign_core::id::AuditId;
use countersign_core::problem::Problem;
use countersign_store::{Saved, session};

use super::authenticate;
use crate::App;
use crate::gate::{Action, Effect, Need, Outcome, Record};
use crate::secret::SecretHash;

const SIGN_OUT: Action = Action { name: "session.sign_out", need: Need::Browser, effect: Effect::Destroy };

/// Ends the session of the cookie. Doing so again changes nothing more.
pub async fn sign_out(app: &App, cookie: &str) -> Result<(), Problem> {
    let Some(view) = authenticate(app, cookie).await? else {
        return Ok(());
    };
    let (hash, now) = (SecretHash::of(cookie), app.now());
    let record = Record::new(&view.caller, SIGN_OUT, now, Outcome::Done);
    let record_id = AuditId::new(app.uuid());
    let ended = app.db.write(move |t| {
        Box::pin(async move {
            match session::revoke(t, hash.as_bytes(), now).await? {
                Saved::Done(()) => record.append(t, record_id).await,
                Saved::Changed | Saved::Missing => Ok(()),
            }
        })
    });
    ended.await.map_err(Problem::from)
}
