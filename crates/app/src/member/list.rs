//! The members of a project.

use countersign_core::caller::Caller;
use countersign_core::id::{ProjectId, UserId};
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_store::project::{MemberSeen, list_members};

use super::view::MemberView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Permit, through};

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

async fn read(app: &App, permit: Permit<ProjectId>) -> Result<Vec<MemberView>, Problem> {
    let project = *permit.target();
    let rows = app.db.read(move |t| Box::pin(list_members(t, project, LIMIT))).await;
    rows.map_err(Problem::from)?.into_iter().map(|row| view(project, row)).collect()
}

fn view(project: ProjectId, (user, name, mail, role): MemberSeen) -> Result<MemberView, Problem> {
    let unreadable = || Problem::internal("a member in the store cannot be read");
    let user = UserId::parse(&user).map_err(|_| unreadable())?;
    let role = MemberRole::parse(&role).ok_or_else(unreadable)?;
    Ok(MemberView { project, user, name, mail, role })
}
