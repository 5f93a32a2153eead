//! Proving once more who one is, by password or passkey: opens the sudo window, under a new token.

use std::net::IpAddr;

use countersign_core::id::AuditId;
use countersign_core::passkey::Purpose;
use countersign_core::problem::{Code, Problem};
use countersign_store::{Saved, oauth_request, session};

use super::sign_in::by_its_password;
use super::{Account, Credentials, Fresh, SessionView, SignedIn, authenticate};
use crate::App;
use crate::gate::{Action, Effect, Need, Outcome, Record};
use crate::passkey::{self, Proven};
use crate::secret::SecretHash;

const PROVE: Action = Action { name: "session.prove", need: Need::Browser, effect: Effect::Set };

/// What a person gives. It has no `Debug`.
pub enum Proof {
    /// Their password.
    Password(String),
    /// What `navigator.credentials.get` answered, as JSON.
    Passkey(String),
}

/// Proves the person of a session once more. The session goes on under a new token, since it may do more now;
/// the old token is over, the end of the session stays where it was, and consent under way goes with it.
pub async fn prove(app: &App, address: IpAddr, cookie: &str, proof: Proof) -> Result<SignedIn, Problem> {
    let view = authenticate(app, cookie).await?.ok_or_else(ended)?;
    let (account, passkey) = check(app, address, (&view, cookie), proof).await?;
    let now = app.now();
    let fresh = Fresh::until(app, view.viewer.user, now, view.expires_at);
    let (old, row) = (SecretHash::of(cookie), fresh.row.clone());
    let record = Record::new(&account.caller(app), PROVE, now, Outcome::Done);
    let record = if passkey.is_some() { record.detail("by", "passkey") } else { record };
    let record_id = AuditId::new(app.uuid());
    let saved = app.db.write(move |t| {
        Box::pin(async move {
            account.hold(t, passkey.is_none()).await?;
            match session::revoke(t, old.as_bytes(), now).await? {
                Saved::Done(()) => {}
                Saved::Changed | Saved::Missing => return Err(ended()),
            }
            if let Some(passkey) = passkey {
                passkey.save(t, now).await?;
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

fn ended() -> Problem {
    Problem::new(Code::Unauthenticated, "The session is over.")
}

/// The proof must be that of the person who is signed in.
async fn check(
    app: &App,
    address: IpAddr,
    (view, cookie): (&SessionView, &str),
    proof: Proof,
) -> Result<(Account, Option<Proven>), Problem> {
    match proof {
        Proof::Password(password) => {
            let mail = view.viewer.mail.clone();
            Ok((by_its_password(app, address, Credentials { mail, password }).await?, None))
        }
        Proof::Passkey(text) => {
            let proven = passkey::prove(app, address, cookie, Purpose::Prove, &text).await?;
            if proven.account.user != view.viewer.user {
                return Err(Problem::new(Code::PasskeyRefused, "This passkey is another person's."));
            }
            Ok((proven.account.clone(), Some(proven)))
        }
    }
}
