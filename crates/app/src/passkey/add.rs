//! Keeping a passkey that a browser made: inside the sudo window, since it is a way to sign in and decide.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, PasskeyId};
use countersign_core::passkey::{MOST, Purpose};
use countersign_core::problem::{Code, Problem};
use countersign_store::passkey::{self, Passkey};
use countersign_store::{Inserted, Tx, person};

use super::ask::full;
use super::check::Made;
use super::{challenge, party};
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};
use crate::name::Name;
use crate::session::require_sudo;

const ADD: Action = Action { name: "passkey.add", need: Need::Browser, effect: Effect::Write };

/// What a person and their browser give.
pub struct NewPasskey {
    /// What they call it.
    pub name: String,
    /// What `navigator.credentials.create` answered, as JSON.
    pub credential: String,
}

/// Adds a passkey of the caller's own, in the browser whose session cookie is `cookie`.
pub async fn add(app: &App, caller: &Caller, cookie: &str, input: NewPasskey) -> Result<PasskeyId, Problem> {
    through(
        app,
        caller,
        ADD,
        move |_| {
            Box::pin(async move {
                Ok(Found::own((Name::new("name", &input.name)?, Made::read(&input.credential)?)))
            })
        },
        |permit| save(app, permit, cookie),
    )
    .await
}

async fn save(app: &App, permit: Permit<(Name, Made)>, cookie: &str) -> Result<PasskeyId, Problem> {
    let (permit, (name, made)) = permit.with(());
    require_sudo(permit.caller(), permit.at())?;
    let (party, user, now) = (party(app)?, permit.person()?, permit.at());
    challenge::take(app, cookie, Purpose::Register, made.challenge()).await?;
    let key = made.verify(&party, user.uuid().as_bytes())?;
    let id = PasskeyId::new(app.uuid());
    let row = Passkey {
        id: id.to_string(),
        user_id: user.to_string(),
        credential_id: key.credential_id,
        name: name.as_str().to_owned(),
        algorithm: key.algorithm.into(),
        public_key: key.public_key,
        counter: key.counter.into(),
        created_at: now.millis(),
        synced_at: key.is_synced.then_some(now.millis()),
        used_at: None,
        refused_at: None,
    };
    let record = permit.record(Outcome::Done).detail("passkey", id.to_string());
    let record_id = AuditId::new(app.uuid());
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            person::hold(t, user).await?;
            insert(t, &row, user).await?;
            record.append(t, record_id).await?;
            Ok::<_, Problem>(())
        })
    });
    saved.await?;
    Ok(id)
}

/// The person is held: of two additions at once the second counts the first.
async fn insert(t: &Tx<'_>, row: &Passkey, user: countersign_core::id::UserId) -> Result<(), Problem> {
    let most = i64::try_from(MOST).map_err(Problem::internal)?;
    if passkey::list_of(t, user, most).await?.len() >= MOST {
        return Err(full());
    }
    match row.insert_once(t).await? {
        Inserted::New => Ok(()),
        Inserted::Existed => {
            Err(Problem::new(Code::PasskeyRefused, "This passkey is here already.")
                .next("Use it to sign in."))
        }
    }
}
