//! Roles on one repository: they count instead of those in its project, upwards and downwards.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ResourceId, UserId, WorkspaceId};
use countersign_core::page::{Cursor, Part, Slice};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::{MemberRole, WorkspaceRole, effective};
use countersign_core::scope::TokenScope;
use countersign_store::repository_member::{self, RepositoryMember, Standing};
use countersign_store::{ByName, Inserted, Saved, Tx, person, workspace};

use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};
use crate::page::by_name;
use crate::person::Mail;

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

/// Whom a role is given to.
#[derive(Clone, Debug)]
pub enum Whom {
    /// The person with this id.
    Id(UserId),
    /// The person who signs in with this mail address.
    Mail(String),
}

impl From<UserId> for Whom {
    fn from(user: UserId) -> Self {
        Self::Id(user)
    }
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
            rows(app, id, ByName::start(), LIMIT).await
        },
    )
    .await
}

/// A page of the same, behind one of them.
pub async fn page_of_members(
    app: &App,
    caller: &Caller,
    id: ResourceId,
    part: Part,
) -> Result<Slice<RepositoryMemberView>, Problem> {
    gate::through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::resource(id, id, MemberRole::Viewer)) }),
        |permit| async move {
            let rows = rows(app, *permit.target(), by_name(&part), part.rows()).await?;
            Ok(part.cut(rows, |row| Cursor::new(&row.name, &row.user)))
        },
    )
    .await
}

async fn rows(
    app: &App,
    id: ResourceId,
    behind: ByName,
    limit: i64,
) -> Result<Vec<RepositoryMemberView>, Problem> {
    let rows = app.db.read(move |t| Box::pin(repository_member::list(t, id, behind, limit))).await;
    rows.map_err(Problem::from)?.into_iter().map(view).collect()
}

/// Gives a person of the workspace a role of their own on the repository, or takes it away, so that the one in the
/// project counts again. It takes an owner of the repository; every connection and token of that person feels it at
/// the very next call. Done before, nothing changes.
pub async fn set_member(
    app: &App,
    caller: &Caller,
    (id, whom): (ResourceId, impl Into<Whom>),
    role: Option<MemberRole>,
) -> Result<(), Problem> {
    let (workspace, whom) = (caller.workspace, whom.into());
    gate::through(
        app,
        caller,
        SET,
        move |t| {
            Box::pin(async move {
                let workspace = workspace.ok_or_else(|| Problem::not_found("repository"))?;
                let person = standing(t, workspace, (id, whom)).await?;
                Ok(Found::resource(Wish { id, person, role }, id, MemberRole::Owner))
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
    /// Nobody, when the workspace has no such person.
    person: Option<Stand>,
    role: Option<MemberRole>,
}

/// How a person of the workspace stands to a repository.
#[derive(Clone, Copy)]
struct Stand {
    user: UserId,
    place: WorkspaceRole,
    seen: Option<MemberRole>,
}

async fn standing(
    t: &Tx<'_>,
    workspace: WorkspaceId,
    (id, whom): (ResourceId, Whom),
) -> Result<Option<Stand>, Problem> {
    let user = match whom {
        Whom::Id(user) => user,
        Whom::Mail(mail) => match person::find_by_mail(t, Mail::new(&mail)?.key()).await? {
            Some(row) => UserId::parse(&row.id).map_err(Problem::internal)?,
            None => return Ok(None),
        },
    };
    let Some(place) = workspace::find_role(t, workspace, user).await? else { return Ok(None) };
    let row = repository_member::find(t, id, user).await?;
    let seen = row.map(|row| parsed(&row.role)).transpose()?;
    Ok(Some(Stand { user, place, seen }))
}

async fn save(app: &App, permit: Permit<Wish>) -> Result<(), Problem> {
    let wish = *permit.target();
    let Some(Stand { user, place, seen }) = wish.person else {
        return Err(Problem::not_found("person").next("Add the person to a project of this workspace first."));
    };
    if place == WorkspaceRole::Owner && wish.role.is_some() {
        return Err(Problem::invalid("user", "an owner of the workspace is owner everywhere"));
    }
    let word = |role: Option<MemberRole>| role.map(MemberRole::as_str);
    let record = permit
        .record(Outcome::Done)
        .detail("person", user.to_string())
        .detail("from", word(seen))
        .detail("role", word(wish.role));
    let (audit, now) = (AuditId::new(app.uuid()), permit.at());
    permit
        .write(app, move |t| {
            Box::pin(async move {
                let key = (wish.id, user);
                let done = match (seen, wish.role) {
                    (None, None) => true,
                    (Some(seen), None) => is_done(repository_member::remove(t, key, seen).await?),
                    (Some(seen), Some(role)) => {
                        is_done(repository_member::save_role(t, key, seen, role).await?)
                    }
                    (None, Some(role)) => {
                        let row = RepositoryMember {
                            repository_id: wish.id.to_string(),
                            user_id: user.to_string(),
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
