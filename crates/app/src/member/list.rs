//! The members of a project.

use countersign_core::caller::Caller;
use countersign_core::id::{ProjectId, UserId};
use countersign_core::page::{Cursor, Part, Slice};
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_store::ByName;
use countersign_store::project::{MemberSeen, find_member, list_members};

use super::person::find_by_id;
use super::view::MemberView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Permit, through};
use crate::page::by_name;

const LIST: Action =
    Action { name: "member.list", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// The most members that one list holds.
const LIMIT: i64 = 1000;

/// The members of a project, by name, to whoever has a role in it. Owners of the workspace have the role owner in each
/// project, also where they are not listed.
pub async fn list(app: &App, caller: &Caller, project: ProjectId) -> Result<Vec<MemberView>, Problem> {
    through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::project(project, project, MemberRole::Viewer)) }),
        |permit| read(app, permit),
    )
    .await
}

/// A page of the same, behind a member.
pub async fn page(
    app: &App,
    caller: &Caller,
    project: ProjectId,
    part: Part,
) -> Result<Slice<MemberView>, Problem> {
    through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::project(project, project, MemberRole::Viewer)) }),
        |permit| async move {
            let rows = rows(app, *permit.target(), by_name(&part), part.rows()).await?;
            Ok(part.cut(rows, |row| Cursor::new(&row.name, &row.user)))
        },
    )
    .await
}

/// One member, to whoever has a role in the project.
pub async fn get(
    app: &App,
    caller: &Caller,
    project: ProjectId,
    user: UserId,
) -> Result<MemberView, Problem> {
    through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::project(project, project, MemberRole::Viewer)) }),
        |permit| async move {
            let workspace = permit.workspace();
            let found = app.db.read(move |t| {
                Box::pin(async move {
                    let known = find_by_id(t, workspace, user).await?;
                    Ok::<_, Problem>(known.zip(find_member(t, project, user).await?))
                })
            });
            let (known, member) = found.await?.ok_or_else(|| Problem::not_found("member"))?;
            view(project, (user.to_string(), known.row.name, known.row.mail, member.role))
        },
    )
    .await
}

async fn read(app: &App, permit: Permit<ProjectId>) -> Result<Vec<MemberView>, Problem> {
    rows(app, *permit.target(), ByName::start(), LIMIT).await
}

async fn rows(app: &App, project: ProjectId, behind: ByName, limit: i64) -> Result<Vec<MemberView>, Problem> {
    let rows = app.db.read(move |t| Box::pin(list_members(t, project, behind, limit))).await;
    rows.map_err(Problem::from)?.into_iter().map(|row| view(project, row)).collect()
}

fn view(project: ProjectId, (user, name, mail, role): MemberSeen) -> Result<MemberView, Problem> {
    let unreadable = || Problem::internal("a member in the store cannot be read");
    let user = UserId::parse(&user).map_err(|_| unreadable())?;
    let role = MemberRole::parse(&role).ok_or_else(unreadable)?;
    Ok(MemberView { project, user, name, mail, role })
}
