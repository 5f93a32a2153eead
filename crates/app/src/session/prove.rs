//! Entering the password again: opens the sudo window, under a new token.

use std::net::IpAddr;

use countersign_core::id::AuditId;
use countersign_core::problem::{Code, Problem};
use countersign_store::{Saved, oauth_request, session};

use super::{Credentials, Fresh, SignedIn, authenticate, by_password};
use crate::App;
use crate::gate::{Action, Effect, Need, Outcome, Record};
use crate::secret::SecretHash;

const PROVE: Action = Action { name: "session.prove", need: Need::Browser, effect: Effect::Set };

/// Proves the person of a session once more. The session goes on under a new token, since it may do more now;
/// the old token is over, the end of the session stays where it was, and consent under way goes with it.
pub async fn prove(app: &App, address: IpAddr, cookie: &str, password: String) -> Result<SignedIn, Problem> {
    let ended = || Problem::new(Code::Unauthenticated, "The session is over.");
    let view = authenticate(app, cookie).await?.ok_or_else(ended)?;
    let caller = by_password(app, address, Credentials { mail: view.viewer.mail, password }).await?;
    let now = app.now();
    let fresh = Fresh::until(app, view.viewer.user, now, view.expires_at);
    let (old, row) = (SecretHash::of(cookie), fresh.row.clone());
    let record = Record::new(&caller, PROVE, now, Outcome::Done);
    let record_id = AuditId::new(app.uuid());
    let saved = app.db.write(move |t| {
        Box::pin(async move {
            match session::revoke(t, old.as_bytes(), now).await? {
                Saved::Done(()) => {}
                Saved::Changed | Saved::Missing => return Err(ended()),
            }
            oauth_request::move_session(t, old.as_bytes(), &row.token_hash).await?;
            row.insert(t).await?;
            record.append(t, record_id).await?;
            Ok::<_, Problem>(())
        })
    });
    saved.await?;
    Ok(fresh.signed_in())
}
