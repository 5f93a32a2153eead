//! Roles on one repository: they count instead of those in its project, upwards and downwards.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ResourceId, UserId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::{MemberRole, WorkspaceRole, effective};
use countersign_core::scope::TokenScope;
use countersign_store::repository_member::{self, RepositoryMember, Standing};
use countersign_store::{Inserted, Saved, Tx, workspace};

use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};

const LIST: Action =
    Action { name: "repository.members", need: Need::Person(TokenScope::Api), effect: Effect::Read };
const SET: Action =
    Action { name: "repository.member_role", need: Need::Person(TokenScope::Api), effect: Effect::Set };

/// The most people that one list holds.
const LIMIT: i64 = 1000;

/// Somebody with a role on a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryMemberView {
    /// The person.
    pub user: UserId,
    /// Their name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
    /// Their role in the project.
    pub project_role: Option<MemberRole>,
    /// Their role on this repository alone.
    pub repository_role: Option<MemberRole>,
    /// What counts.
    pub role: MemberRole,
    /// Whether they own the workspace, and so are owner whatever their roles say.
    pub owns_workspace: bool,
}

/// Everybody with a role on the repository, by name, for whoever has one.
pub async fn members(
    app: &App,
    caller: &Caller,
    id: ResourceId,
) -> Result<Vec<RepositoryMemberView>, Problem> {
    gate::through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::resource(id, id, MemberRole::Viewer)) }),
        |permit| async move {
            let id = *permit.target();
            let rows = app.db.read(move |t| Box::pin(repository_member::list(t, id, LIMIT))).await;
            rows.map_err(Problem::from)?.into_iter().map(view).collect()
        },
    )
    .await
}

/// Gives a person of the workspace a role of their own on the repository, or takes it away, so that the one in the
/// project counts again. It takes an owner of the repository; every connection and token of that person feels it at
/// the very next call. Done before, nothing changes.
pub async fn set_member(
    app: &App,
    caller: &Caller,
    (id, user): (ResourceId, UserId),
    role: Option<MemberRole>,
) -> Result<(), Problem> {
    let workspace = caller.workspace;
    gate::through(
        app,
        caller,
        SET,
        move |t| {
            Box::pin(async move {
                let workspace = workspace.ok_or_else(|| Problem::not_found("repository"))?;
                let place = workspace::find_role(t, workspace, user).await?;
                let seen = seen(t, id, user).await?;
                Ok(Found::resource(Wish { id, user, place, seen, role }, id, MemberRole::Owner))
            })
        },
        |permit| save(app, permit),
    )
    .await
}

/// Whose role becomes what, and what stood there.
#[derive(Clone, Copy)]
struct Wish {
    id: ResourceId,
    user: UserId,
    place: Option<WorkspaceRole>,
    seen: Option<MemberRole>,
    role: Option<MemberRole>,
}

async fn seen(t: &Tx<'_>, id: ResourceId, user: UserId) -> Result<Option<MemberRole>, Problem> {
    let row = repository_member::find(t, id, user).await?;
    row.map(|row| parsed(&row.role)).transpose()
}

async fn save(app: &App, permit: Permit<Wish>) -> Result<(), Problem> {
    let wish = *permit.target();
    match wish.place {
        None => {
            return Err(
                Problem::not_found("member").next("Add the person to a project of this workspace first.")
            );
        }
        Some(WorkspaceRole::Owner) if wish.role.is_some() => {
            return Err(Problem::invalid("user", "an owner of the workspace is owner everywhere"));
        }
        Some(WorkspaceRole::Member | WorkspaceRole::Owner) => {}
    }
    let word = |role: Option<MemberRole>| role.map(MemberRole::as_str);
    let record = permit
        .record(Outcome::Done)
        .detail("person", wish.user.to_string())
        .detail("from", word(wish.seen))
        .detail("role", word(wish.role));
    let (audit, now) = (AuditId::new(app.uuid()), permit.at());
    app.db
        .write(move |t| {
            Box::pin(async move {
                let key = (wish.id, wish.user);
                let done = match (wish.seen, wish.role) {
                    (None, None) => true,
                    (Some(seen), None) => is_done(repository_member::remove(t, key, seen).await?),
                    (Some(seen), Some(role)) => {
                        is_done(repository_member::save_role(t, key, seen, role).await?)
                    }
                    (None, Some(role)) => {
                        let row = RepositoryMember {
                            repository_id: wish.id.to_string(),
                            user_id: wish.user.to_string(),
                            role: role.as_str().to_owned(),
                            created_at: now.millis(),
                        };
                        row.insert_once(t).await? == Inserted::New
                    }
                };
                if !done {
                    return Err(Problem::new(
                        Code::VersionConflict,
                        "Somebody else changed this role meanwhile.",
                    )
                    .next("Look at the present role, then repeat the step."));
                }
                record.append(t, audit).await?;
                Ok::<_, Problem>(())
            })
        })
        .await
}

const fn is_done(saved: Saved) -> bool {
    match saved {
        Saved::Done(()) => true,
        Saved::Changed | Saved::Missing => false,
    }
}

fn parsed(word: &str) -> Result<MemberRole, Problem> {
    MemberRole::parse(word).ok_or_else(|| Problem::internal("a role in the store is not ours"))
}

fn view((user, name, mail, place, project, own): Standing) -> Result<RepositoryMemberView, Problem> {
    let project_role = project.as_deref().map(parsed).transpose()?;
    let repository_role = own.as_deref().map(parsed).transpose()?;
    let place = WorkspaceRole::parse(&place);
    let role = effective(place, project_role, repository_role);
    Ok(RepositoryMemberView {
        user: UserId::parse(&user).map_err(Problem::internal)?,
        name,
        mail,
        project_role,
        repository_role,
        owns_workspace: place == Some(WorkspaceRole::Owner),
        role: role.ok_or_else(|| Problem::internal("a member without a role is listed"))?,
    })
}
