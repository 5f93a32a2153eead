//! Everybody in the workspace, for its owners.

use countersign_core::caller::Caller;
use countersign_core::id::UserId;
use countersign_core::page::{Cursor, Part, Slice};
use countersign_core::problem::Problem;
use countersign_core::role::WorkspaceRole;
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::ByName;
use countersign_store::workspace::{self, PersonSeen};

use super::view::PersonView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Permit, through};
use crate::page::by_name;

const PEOPLE: Action =
    Action { name: "workspace.people", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// What changes a person shows them afterwards, to whoever could change them.
const PERSON: Action =
    Action { name: "workspace.person", need: Need::Person(TokenScope::Decide), effect: Effect::Read };

/// The most people that one list holds.
const LIMIT: i64 = 1000;

/// The people of the caller's workspace, by name; for its owners.
pub async fn people(app: &App, caller: &Caller) -> Result<Vec<PersonView>, Problem> {
    through(app, caller, PEOPLE, |_| Box::pin(async { Ok(Found::workspace(())) }), |permit| read(app, permit))
        .await
}

/// A page of the same, behind a person.
pub async fn page_of_people(app: &App, caller: &Caller, part: Part) -> Result<Slice<PersonView>, Problem> {
    through(
        app,
        caller,
        PEOPLE,
        |_| Box::pin(async { Ok(Found::workspace(())) }),
        |permit| async move {
            let rows = rows(app, &permit, by_name(&part), part.rows()).await?;
            Ok(part.cut(rows, |row| Cursor::new(&row.name, &row.user)))
        },
    )
    .await
}

/// One of them.
pub async fn person(app: &App, caller: &Caller, user: UserId) -> Result<PersonView, Problem> {
    through(
        app,
        caller,
        PERSON,
        move |_| Box::pin(async move { Ok(Found::workspace(user)) }),
        |permit| async move {
            let (workspace, user) = (permit.workspace(), *permit.target());
            let found = app.db.read(move |t| Box::pin(workspace::person(t, workspace, user))).await;
            view(found.map_err(Problem::from)?.ok_or_else(|| Problem::not_found("person"))?)
        },
    )
    .await
}

async fn read(app: &App, permit: Permit<()>) -> Result<Vec<PersonView>, Problem> {
    rows(app, &permit, ByName::start(), LIMIT).await
}

async fn rows(
    app: &App,
    permit: &Permit<()>,
    behind: ByName,
    limit: i64,
) -> Result<Vec<PersonView>, Problem> {
    let workspace = permit.workspace();
    let rows = app.db.read(move |t| Box::pin(workspace::people(t, workspace, behind, limit))).await;
    rows.map_err(Problem::from)?.into_iter().map(view).collect()
}

fn view((user, name, mail, role, since, disabled_at): PersonSeen) -> Result<PersonView, Problem> {
    let unreadable = || Problem::internal("a person in the store cannot be read");
    Ok(PersonView {
        user: UserId::parse(&user).map_err(|_| unreadable())?,
        name,
        mail,
        role: WorkspaceRole::parse(&role).ok_or_else(unreadable)?,
        since: Timestamp::from_millis(since),
        disabled_at: disabled_at.map(Timestamp::from_millis),
    })
}
