//! The steps of the gate, in their order.

use std::future::Future;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::WorkspaceId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::{MemberRole, WorkspaceRole, effective};
use countersign_core::scope::{Scope, TokenScope};
use countersign_store::access::{self, Access};
use countersign_store::{Job, Tx};

use super::again::Again;
use super::{Action, Found, Need, Outcome, Permit, Place, Rate, RateKey, Record, Subject};
use crate::App;

/// Counts the call against its limit. The transport asks once a request, before anything else, and puts the
/// numbers on its answer; `Err` is the refusal.
pub fn admit(app: &App, caller: &Caller) -> (Rate, Result<(), Problem>) {
    let rate = app.rate.hit(RateKey::of(caller), app.now());
    let verdict = if rate.admitted {
        Ok(())
    } else {
        Err(Problem::new(Code::RateLimited, format!("More than {} calls in one window.", rate.limit))
            .next(format!("Wait {} seconds, then call again.", rate.reset_s))
            .fact("retry_after_s", rate.reset_s))
    };
    (rate, verdict)
}

/// Lets a call pass or refuses it: toolbox, scope, arguments, resource, grant, role. The transport established
/// the caller from a good credential and counted the call by [`admit`].
pub async fn enter<T, R>(app: &App, caller: &Caller, action: Action, resolve: R) -> Result<Permit<T>, Problem>
where
    T: Send + 'static,
    R: for<'c> FnOnce(&'c Tx<'c>) -> Job<'c, Found<T>, Problem> + Send + 'static,
{
    may_try(caller, action)?;
    let workspace = caller
        .workspace
        .ok_or_else(|| Problem::new(Code::Unauthenticated, "This account is in no workspace."))?;
    let asker = caller.clone();
    let (found, access) = app
        .db
        .glance(move |t| {
            Box::pin(async move {
                let found = resolve(t).await?;
                let access = look_up(t, &asker, workspace, found.subject).await?;
                Ok::<_, Problem>((found, access))
            })
        })
        .await?;
    let Found { target, subject, role } = found;
    let place = place(caller, (subject, role), access)?;
    let again = Again { caller: caller.clone(), workspace, subject, role };
    Ok(Permit { target, again, action, place, at: app.now() })
}

/// [`enter`], then `body`; keeps the audit record of a read, of every refusal, and of a call whose caller hung up before
/// its end, which drops it wherever it waits. A change that succeeds has appended its own record in its transaction.
pub async fn through<T, R, B, F, O>(
    app: &App,
    caller: &Caller,
    action: Action,
    resolve: R,
    body: B,
) -> Result<O, Problem>
where
    T: Send + 'static,
    R: for<'c> FnOnce(&'c Tx<'c>) -> Job<'c, Found<T>, Problem> + Send + 'static,
    B: FnOnce(Permit<T>) -> F,
    F: Future<Output = Result<O, Problem>>,
{
    let mut watch = Watch { app, caller, action, record: None, is_over: false };
    let result = match enter(app, caller, action, resolve).await {
        Ok(permit) => {
            watch.record = Some(permit.record(Outcome::Done));
            body(permit).await
        }
        Err(problem) => Err(problem),
    };
    let record = watch.end();
    match &result {
        Ok(_) if action.effect.is_change() => {}
        Ok(_) => app.journal.later(record).await,
        Err(problem) => app.journal.later(record.refused(problem.code)).await,
    }
    result
}

/// Keeps the record of a call that is dropped before its end.
struct Watch<'a> {
    app: &'a App,
    caller: &'a Caller,
    action: Action,
    /// What is known of the call once it has passed.
    record: Option<Record>,
    is_over: bool,
}

impl Watch<'_> {
    /// The call came to its end.
    fn end(mut self) -> Record {
        self.is_over = true;
        self.take()
    }

    fn take(&mut self) -> Record {
        self.record.take().unwrap_or_else(|| {
            Record::new(self.caller, self.action, self.app.now(), Outcome::Done)
                .in_workspace(self.caller.workspace)
        })
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            let record = self.take().cancelled();
            self.app.journal.at_once(record);
        }
    }
}

/// The steps that come before the arguments: is it in the caller's toolbox, does the credential carry the scope?
/// A transport that checks arguments by itself asks first; [`enter`] asks again.
pub fn may_try(caller: &Caller, action: Action) -> Result<(), Problem> {
    in_toolbox(caller, action)?;
    holds(caller, action)
}

fn in_toolbox(caller: &Caller, action: Action) -> Result<(), Problem> {
    if caller.switched_off.contains(action.name) {
        return Err(Problem::new(
            Code::ToolNotAvailable,
            format!("tool '{}' is not available to this agent", action.name),
        ));
    }
    Ok(())
}

fn holds(caller: &Caller, action: Action) -> Result<(), Problem> {
    match (&caller.principal, action.need) {
        (Principal::Anonymous { .. }, _) => Err(Problem::new(Code::Unauthenticated, "Nobody is signed in.")),
        (Principal::Connection { .. }, Need::Agent(scope)) if caller.scopes.holds(scope) => Ok(()),
        (Principal::Connection { .. }, Need::Agent(scope)) => Err(lacks_scope(scope)),
        (Principal::Connection { .. }, Need::Person(_) | Need::Browser) => {
            Err(Problem::new(Code::AgentScopeDenied, "An agent's token cannot do this, whatever its scopes."))
        }
        (Principal::Session { .. }, Need::Person(_) | Need::Browser) => Ok(()),
        (Principal::Token { scopes, .. }, Need::Person(scope)) if scopes.holds(scope) => Ok(()),
        (Principal::Token { .. }, Need::Person(scope)) => Err(lacks_token_scope(scope)),
        (Principal::Token { .. }, Need::Browser) => {
            Err(Problem::new(Code::TokenScopeDenied, "This is done in the app, not by a token.")
                .next("Sign in to the app in a browser."))
        }
        (Principal::Session { .. } | Principal::Token { .. }, Need::Agent(_)) => {
            Err(Problem::new(Code::Unauthenticated, "The connector takes a connection's token alone."))
        }
    }
}

fn lacks_scope(scope: Scope) -> Problem {
    Problem::new(Code::InsufficientScope, format!("This connection lacks the scope {}.", scope.as_str()))
        .fact("scope", scope.as_str())
}

fn lacks_token_scope(scope: TokenScope) -> Problem {
    Problem::new(Code::TokenScopeDenied, format!("This token lacks the scope {}.", scope.as_str()))
        .fact("scope", scope.as_str())
}

pub(super) async fn look_up(
    t: &Tx<'_>,
    caller: &Caller,
    workspace: WorkspaceId,
    subject: Subject,
) -> Result<Option<Access>, Problem> {
    let Some(person) = caller.person() else {
        return Ok(None);
    };
    let asker = access::Asker { person, connection: caller.connection(), workspace };
    Ok(match subject {
        Subject::Own => None,
        Subject::Resource(id) => access::on_resource(t, asker, id).await?,
        Subject::Project(id) => access::on_project(t, asker, id).await?,
        Subject::Workspace => access::on_workspace(t, asker).await?,
    })
}

/// Resource, grant, role; each with its own refusal.
pub(super) fn place(
    caller: &Caller,
    (subject, needed): (Subject, MemberRole),
    access: Option<Access>,
) -> Result<Option<Place>, Problem> {
    let noun = match subject {
        Subject::Own => return Ok(None),
        Subject::Resource(_) => "resource",
        Subject::Project(_) => "project",
        Subject::Workspace => "workspace",
    };
    let access = access.ok_or_else(|| Problem::not_found(noun))?;
    let role = effective(access.workspace_role, access.project_role, access.repository_role);
    let is_agent = caller.connection().is_some();
    if is_agent && !access.granted {
        return Err(Problem::new(
            Code::NotInProject,
            format!("This {noun} is not in a project of this connection."),
        ));
    }
    let role = match (subject, role) {
        (Subject::Workspace, _) if access.workspace_role != Some(WorkspaceRole::Owner) => {
            return Err(Problem::new(Code::RoleRequired, "Only an owner of the workspace may do this.")
                .fact("role", "owner"));
        }
        (_, Some(role)) if role >= needed => role,
        (_, _) if is_agent => return Err(lacks_access(noun, needed)),
        // Who has no role at all does not learn that it exists.
        (_, None) => return Err(Problem::not_found(noun)),
        (_, Some(_)) => return Err(lacks_role(noun, needed)),
    };
    Ok(Some(Place { resource: access.resource, project: access.project, name: access.name, role }))
}

fn lacks_access(noun: &str, role: MemberRole) -> Problem {
    let message = format!("The connection owner is no {} of this {noun} now.", role.as_str());
    Problem::new(Code::OwnerLacksAccess, message).fact("role", role.as_str())
}

fn lacks_role(noun: &str, role: MemberRole) -> Problem {
    let message = format!("This takes the role {} on this {noun}.", role.as_str());
    Problem::new(Code::RoleRequired, message).fact("role", role.as_str())
}
