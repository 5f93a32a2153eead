//! A new password of one's own, inside the sudo window; whoever else is signed in as this person is so no more.

use countersign_core::caller::Caller;
use countersign_core::id::AuditId;
use countersign_core::problem::{Code, Problem};
use countersign_store::{Saved, person, session};

use super::Password;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};
use crate::secret::SecretHash;
use crate::session::require_sudo;

const CHANGE: Action = Action { name: "person.password", need: Need::Browser, effect: Effect::Set };

/// Changes the caller's password, and ends every session of theirs but the one of this cookie.
pub async fn change_password(
    app: &App,
    caller: &Caller,
    cookie: &str,
    password: String,
) -> Result<(), Problem> {
    let this = SecretHash::of(cookie);
    through(
        app,
        caller,
        CHANGE,
        move |_| Box::pin(async move { Ok(Found::own(Password::new(password)?)) }),
        |permit| save(app, permit, this),
    )
    .await
}

async fn save(app: &App, permit: Permit<Password>, this: SecretHash) -> Result<(), Problem> {
    let (permit, password) = permit.with(());
    require_sudo(permit.caller(), permit.at())?;
    let (user, now) = (permit.person()?, permit.at());
    let row = app.db.read(move |t| Box::pin(person::find(t, user))).await.map_err(Problem::from)?;
    let seen = row.ok_or_else(|| Problem::not_found("account"))?.password_hash;
    let hash = app.passwords.hash(password, app.random()).await?;
    let record = permit.record(Outcome::Done);
    let record_id = AuditId::new(app.uuid());
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            match person::save_password(t, user, &seen, &hash).await? {
                Saved::Done(()) => {}
                Saved::Changed => {
                    let message = "This password was changed meanwhile.";
                    return Err(Problem::new(Code::VersionConflict, message)
                        .next("Sign in with the new one, or repeat the step."));
                }
                Saved::Missing => return Err(Problem::not_found("account")),
            }
            let ended = session::revoke_others(t, user, this.as_bytes(), now).await?;
            record.detail("sessions", ended).append(t, record_id).await?;
            Ok::<_, Problem>(())
        })
    });
    saved.await
}
