//! Signing in by mail address and password. Whatever is wrong, the answer and the work are the same.

use std::collections::BTreeSet;
use std::net::IpAddr;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{AuditId, UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::Scopes;
use countersign_store::{person, session, workspace};

use super::{Fresh, SignedIn};
use crate::App;
use crate::gate::{Action, Effect, Need, Outcome, Record};
use crate::person::{Check, Mail};

const SIGN_IN: Action = Action { name: "session.sign_in", need: Need::Browser, effect: Effect::Write };

/// What a person types. It has no `Debug`.
pub struct Credentials {
    /// Their mail address.
    pub mail: String,
    /// Their password.
    pub password: String,
}

/// Signs a person in: a new session, whose sudo window is open.
pub async fn sign_in(app: &App, address: IpAddr, credentials: Credentials) -> Result<SignedIn, Problem> {
    let caller = by_password(app, address, credentials).await?;
    let Some(user) = caller.person() else { return Err(refusal()) };
    let now = app.now();
    let fresh = Fresh::new(app, user, now);
    let (row, record) = (fresh.row.clone(), Record::new(&caller, SIGN_IN, now, Outcome::Done));
    let record_id = AuditId::new(app.uuid());
    let saved = app.db.write(move |t| {
        Box::pin(async move {
            session::forget_expired(t, user, now).await?;
            row.insert(t).await?;
            record.append(t, record_id).await
        })
    });
    saved.await.map_err(Problem::from)?;
    Ok(fresh.signed_in())
}

/// The caller that mail address and password make, for one request: a person who has just proved who they are.
pub async fn by_password(app: &App, address: IpAddr, credentials: Credentials) -> Result<Caller, Problem> {
    let Credentials { mail, password } = credentials;
    // What is no address has no account; nothing is looked up and nothing is told.
    let mail = Mail::new(&mail).map_err(|_| refusal())?;
    app.attempts.begin(mail.key(), address, app.now())?;
    let key = mail.key().to_owned();
    let account = app.db.read(move |t| Box::pin(Account::find(t, key))).await?;
    let stored = account.as_ref().map(|account| account.password_hash.clone());
    match (app.passwords.check(password, stored).await?, account) {
        (Check::Right, Some(account)) => {
            app.attempts.succeeded(mail.key(), address);
            Ok(account.caller(app))
        }
        (Check::Right | Check::Wrong, account) => {
            refused(app, address, account).await;
            Err(refusal())
        }
    }
}

/// A person who may sign in.
struct Account {
    user: UserId,
    workspace: WorkspaceId,
    password_hash: String,
}

impl Account {
    async fn find(t: &countersign_store::Tx<'_>, mail_key: String) -> Result<Option<Self>, Problem> {
        let Some(row) = person::find_by_mail(t, &mail_key).await?.filter(|row| row.disabled_at.is_none())
        else {
            return Ok(None);
        };
        let user = UserId::parse(&row.id).map_err(Problem::internal)?;
        let workspace = workspace::first_of(t, user).await?;
        Ok(workspace.map(|workspace| Self { user, workspace, password_hash: row.password_hash }))
    }

    fn caller(&self, app: &App) -> Caller {
        Caller {
            principal: Principal::Session { user: self.user, proved_at: app.now() },
            workspace: Some(self.workspace),
            scopes: Scopes::default(),
            switched_off: BTreeSet::new(),
        }
    }
}

fn refusal() -> Problem {
    Problem::new(Code::SignInFailed, "The mail address or the password is wrong.")
}

/// Keeps the record of a failed attempt. The mail address that was typed stays out: people type passwords there.
async fn refused(app: &App, address: IpAddr, account: Option<Account>) {
    let nobody = Caller::anonymous(address);
    let mut record = Record::new(&nobody, SIGN_IN, app.now(), Outcome::Refused(Code::SignInFailed));
    record = record.detail("address", address.to_string());
    if let Some(account) = account {
        record = record.in_workspace(Some(account.workspace)).detail("person", account.user.to_string());
    }
    app.journal.later(record).await;
}
