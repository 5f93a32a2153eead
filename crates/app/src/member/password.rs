//! A new password for a person who lost theirs.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ProjectId, UserId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_store::{Saved, Tx, person, session, workspace};

use super::person::{Known, find_by_id, is_owner, owners_only};
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, Subject, through};
use crate::person::Password;
use crate::session::require_proof;

const SET_PASSWORD: Action =
    Action { name: "member.password", need: Need::Person(TokenScope::Api), effect: Effect::Set };

/// Whose password becomes what. It has no `Debug`.
pub struct NewPassword {
    /// A project through which the person is named.
    pub project: ProjectId,
    /// The person.
    pub user: UserId,
    /// Their password from now on.
    pub password: String,
}

/// Sets a person's password and ends all their sessions. It takes an owner of the workspace who proves who they are,
/// since a password is a way to sign in and decide; and since the same password opens every workspace that the person
/// is in, one who owns them all.
pub async fn set_password(app: &App, caller: &Caller, input: NewPassword) -> Result<(), Problem> {
    let asker = caller.clone();
    through(
        app,
        caller,
        SET_PASSWORD,
        move |t| {
            Box::pin(async move {
                let project = input.project;
                Ok(Found::project(Wish::read(t, &asker, input).await?, project, MemberRole::Owner))
            })
        },
        |permit| save(app, permit),
    )
    .await
}

/// A password within the rules, and whose it becomes.
struct Wish {
    password: Password,
    known: Option<Known>,
    by_owner: bool,
    reaches_further: bool,
}

impl Wish {
    async fn read(t: &Tx<'_>, asker: &Caller, input: NewPassword) -> Result<Self, Problem> {
        let password = Password::new(input.password)?;
        let (Some(workspace), Some(owner)) = (asker.workspace, asker.person()) else {
            return Ok(Self { password, known: None, by_owner: false, reaches_further: true });
        };
        let known = find_by_id(t, workspace, input.user).await?.filter(|known| known.place.is_some());
        let by_owner = is_owner(t, asker, workspace).await?;
        let reaches_further = workspace::has_place_beyond(t, input.user, owner).await?;
        Ok(Self { password, known, by_owner, reaches_further })
    }
}

async fn save(app: &App, permit: Permit<Wish>) -> Result<(), Problem> {
    let (permit, wish) = permit.with(());
    if !wish.by_owner {
        return Err(owners_only("give somebody a new password"));
    }
    let missing = || Problem::not_found("member").next("List the members, and name one by the id.");
    let known = wish.known.ok_or_else(missing)?;
    if wish.reaches_further {
        return Err(Problem::new(Code::RoleRequired, "This person is also in a workspace of somebody else.")
            .next("Ask an owner of every workspace that the person is in.")
            .fact("role", "owner"));
    }
    require_proof(permit.caller(), permit.at())?;
    let hash = app.passwords.hash(wish.password, app.random()).await?;
    let (user, seen, now) = (known.user, known.row.password_hash, permit.at());
    let record = permit.record(Outcome::Done).detail("person", user.to_string());
    let record_id = AuditId::new(app.uuid());
    let asked = permit.clone();
    let saved = permit.write(app, move |t| {
        Box::pin(async move {
            asked.also(t, Subject::Workspace, MemberRole::Owner).await?;
            match person::save_password(t, user, &seen, &hash).await? {
                Saved::Done(()) => {}
                Saved::Changed => {
                    let message = "Somebody else changed this password meanwhile.";
                    return Err(Problem::new(Code::VersionConflict, message).next("Ask them, or repeat it."));
                }
                Saved::Missing => return Err(missing()),
            }
            let ended = session::revoke_all(t, user, now).await?;
            record.detail("sessions", ended).append(t, record_id).await?;
            Ok::<_, Problem>(())
        })
    });
    saved.await
}
