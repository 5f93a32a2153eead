//! A person who may sign in, and the record of an attempt that failed.

use std::collections::BTreeSet;
use std::net::IpAddr;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::Scopes;
use countersign_store::person::Person;
use countersign_store::{Tx, person, workspace};

use super::sign_in::SIGN_IN;
use crate::App;
use crate::gate::{Outcome, Record};

/// A person who may sign in.
#[derive(Clone)]
pub(crate) struct Account {
    pub(crate) user: UserId,
    pub(crate) workspace: WorkspaceId,
    pub(crate) password_hash: String,
}

impl Account {
    /// The account with this folded mail address.
    pub(crate) async fn find_by_mail(t: &Tx<'_>, mail_key: String) -> Result<Option<Self>, Problem> {
        Self::read(t, person::find_by_mail(t, &mail_key).await?).await
    }

    /// The account of this person.
    pub(crate) async fn find(t: &Tx<'_>, user: UserId) -> Result<Option<Self>, Problem> {
        Self::read(t, person::find(t, user).await?).await
    }

    async fn read(t: &Tx<'_>, row: Option<Person>) -> Result<Option<Self>, Problem> {
        let Some(row) = row.filter(|row| row.disabled_at.is_none()) else {
            return Ok(None);
        };
        let user = UserId::parse(&row.id).map_err(Problem::internal)?;
        let workspace = workspace::first_of(t, user).await?;
        Ok(workspace.map(|workspace| Self { user, workspace, password_hash: row.password_hash }))
    }

    /// Holds the person until the transaction ends, and passes who may still sign in: not shut out since they proved who
    /// they are, and, where that was by password, not by one that was changed meanwhile.
    pub(super) async fn hold(&self, t: &Tx<'_>, by_password: bool) -> Result<(), Problem> {
        person::hold(t, self.user).await?;
        let now = Self::find(t, self.user).await?;
        if now.is_some_and(|now| !by_password || now.password_hash == self.password_hash) {
            return Ok(());
        }
        Err(Problem::new(Code::SignInFailed, "The account or its password was changed at this moment."))
    }

    /// The caller that they make, having just proved who they are.
    pub(crate) fn caller(&self, app: &App) -> Caller {
        Caller {
            principal: Principal::Session { user: self.user, proved_at: app.now(), session: None },
            workspace: Some(self.workspace),
            scopes: Scopes::default(),
            switched_off: BTreeSet::new(),
        }
    }
}

/// Keeps the record of a failed attempt. The mail address that was typed stays out: people type passwords there.
pub(crate) async fn refused(app: &App, address: IpAddr, account: Option<Account>, problem: &Problem) {
    let nobody = Caller::anonymous(address);
    let mut record = Record::new(&nobody, SIGN_IN, app.now(), Outcome::Refused(problem.code));
    record = record.detail("address", address.to_string());
    if let Some(why) = problem.facts.get("why") {
        record = record.detail("why", why.clone());
    }
    if let Some(account) = account {
        record = record.in_workspace(Some(account.workspace)).detail("person", account.user.to_string());
    }
    app.journal.later(record).await;
}
