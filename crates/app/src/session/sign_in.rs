//! Signing in, by mail address and password or by a passkey. Whatever is wrong with a password, the answer and the work
//! are the same.

use std::net::IpAddr;

use countersign_core::caller::Caller;
use countersign_core::id::AuditId;
use countersign_core::passkey::Purpose;
use countersign_core::problem::{Code, Problem};
use countersign_store::session;

use super::{Account, Fresh, SignedIn, refused};
use crate::App;
use crate::gate::{Action, Effect, Need, Outcome, Record};
use crate::passkey::{self, Proven};
use crate::person::{Check, Mail};

pub(super) const SIGN_IN: Action =
    Action { name: "session.sign_in", need: Need::Browser, effect: Effect::Write };

/// What a person types. It has no `Debug`.
pub struct Credentials {
    /// Their mail address.
    pub mail: String,
    /// Their password.
    pub password: String,
}

/// Signs a person in: a new session, whose sudo window is open.
pub async fn sign_in(app: &App, address: IpAddr, credentials: Credentials) -> Result<SignedIn, Problem> {
    let account = by_its_password(app, address, credentials).await?;
    begin(app, account, None).await
}

/// The same by a passkey, in the browser whose cookie of forms holds `form`; `credential` is what
/// `navigator.credentials.get` answered, as JSON. Nobody says who they are: the passkey does.
pub async fn sign_in_by_passkey(
    app: &App,
    address: IpAddr,
    form: &str,
    credential: &str,
) -> Result<SignedIn, Problem> {
    let proven = passkey::prove(app, address, form, Purpose::SignIn, credential).await?;
    begin(app, proven.account.clone(), Some(proven)).await
}

/// A new session for who has just proved who they are.
async fn begin(app: &App, account: Account, passkey: Option<Proven>) -> Result<SignedIn, Problem> {
    let (user, now) = (account.user, app.now());
    let fresh = Fresh::new(app, user, now);
    let record = Record::new(&account.caller(app), SIGN_IN, now, Outcome::Done);
    let record = if passkey.is_some() { record.detail("by", "passkey") } else { record };
    let (row, record_id) = (fresh.row.clone(), AuditId::new(app.uuid()));
    let saved = app.db.write(move |t| {
        Box::pin(async move {
            account.hold(t, passkey.is_none()).await?;
            if let Some(passkey) = passkey {
                passkey.save(t, now).await?;
            }
            session::forget_expired(t, user, now).await?;
            row.insert(t).await?;
            record.append(t, record_id).await?;
            Ok::<_, Problem>(())
        })
    });
    saved.await?;
    Ok(fresh.signed_in())
}

/// The caller that mail address and password make, for one request: a person who has just proved who they are.
pub async fn by_password(app: &App, address: IpAddr, credentials: Credentials) -> Result<Caller, Problem> {
    by_its_password(app, address, credentials).await.map(|account| account.caller(app))
}

/// The account whose mail address and password these are.
pub(super) async fn by_its_password(
    app: &App,
    address: IpAddr,
    credentials: Credentials,
) -> Result<Account, Problem> {
    let Credentials { mail, password } = credentials;
    // What is no address has no account; nothing is looked up and nothing is told.
    let mail = Mail::new(&mail).map_err(|_| refusal())?;
    app.attempts.begin(mail.key(), address, app.now())?;
    let key = mail.key().to_owned();
    let account = app.db.read(move |t| Box::pin(Account::find_by_mail(t, key))).await?;
    let stored = account.as_ref().map(|account| account.password_hash.clone());
    match (app.passwords.check(password, stored).await?, account) {
        (Check::Right, Some(account)) => {
            app.attempts.succeeded(mail.key(), address);
            Ok(account)
        }
        (Check::Right | Check::Wrong, account) => {
            let problem = refusal();
            refused(app, address, account, &problem).await;
            Err(problem)
        }
    }
}

fn refusal() -> Problem {
    Problem::new(Code::SignInFailed, "The mail address or the password is wrong.")
}
