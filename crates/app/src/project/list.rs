//! The projects that a person sees.

use countersign_core::caller::Caller;
use countersign_core::id::ProjectId;
use countersign_core::page::{Cursor, Part, Slice};
use countersign_core::problem::Problem;
use countersign_core::role::{MemberRole, WorkspaceRole, effective};
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::project::{self, Seen, Window};

use super::view::{ProjectList, ProjectView};
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Permit, through};
use crate::page::by_name;

const LIST: Action =
    Action { name: "project.list", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// The longest page.
const LIMIT: i64 = 100;
/// The most pages that are read one after the other.
const PAGES: usize = 10;

/// Which part of a list.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// How many, from 1 to 100.
    pub limit: i64,
    /// How many to leave out before.
    pub offset: i64,
}

impl Default for Page {
    fn default() -> Self {
        Self { limit: LIMIT, offset: 0 }
    }
}

impl Page {
    fn check(self) -> Result<Self, Problem> {
        if !(1..=LIMIT).contains(&self.limit) {
            return Err(Problem::invalid("limit", "from 1 to 100"));
        }
        if self.offset < 0 {
            return Err(Problem::invalid("offset", "0 or more"));
        }
        Ok(self)
    }
}

/// A page of the projects in which the caller has a role, by name; an owner of the workspace has one in each.
pub async fn list(app: &App, caller: &Caller, page: Page) -> Result<ProjectList, Problem> {
    through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::own(page.check()?)) }),
        |permit| read(app, permit),
    )
    .await
}

/// A page of the same, behind a project.
pub async fn page(app: &App, caller: &Caller, part: Part) -> Result<Slice<ProjectView>, Problem> {
    through(
        app,
        caller,
        LIST,
        |_| Box::pin(async { Ok(Found::own(())) }),
        |permit| async move {
            let whose = (permit.workspace(), permit.person()?);
            let (behind, rows) = (by_name(&part), part.rows());
            let rows = app.db.read(move |t| Box::pin(project::page_for(t, whose, behind, rows))).await;
            let rows: Vec<_> =
                rows.map_err(Problem::from)?.into_iter().map(view).collect::<Result<_, _>>()?;
            Ok(part.cut(rows, |row| Cursor::new(&row.name, &row.id)))
        },
    )
    .await
}

/// The first thousand of them, for whoever chooses among all.
pub async fn all(app: &App, caller: &Caller) -> Result<Vec<ProjectView>, Problem> {
    let (mut all, mut page) = (Vec::new(), Page::default());
    for _ in 0..PAGES {
        let part = list(app, caller, page).await?;
        all.extend(part.projects);
        let Some(offset) = part.next_offset else { break };
        page.offset = offset;
    }
    Ok(all)
}

async fn read(app: &App, permit: Permit<Page>) -> Result<ProjectList, Problem> {
    let (workspace, person, page) = (permit.workspace(), permit.person()?, *permit.target());
    // One more than asked for tells whether there is another page.
    let window = Window { limit: page.limit + 1, offset: page.offset };
    let rows = app.db.read(move |t| Box::pin(project::list_for(t, workspace, person, window))).await;
    let rows = rows.map_err(Problem::from)?;
    let asked = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let next_offset = (rows.len() > asked).then_some(page.offset + page.limit);
    let projects = rows.into_iter().take(asked).map(view).collect::<Result<_, _>>()?;
    Ok(ProjectList { projects, next_offset })
}

fn view((id, name, place, role, created_at): Seen) -> Result<ProjectView, Problem> {
    let unreadable = || Problem::internal("a project in the store cannot be read");
    let role = role.map(|word| MemberRole::parse(&word).ok_or_else(unreadable)).transpose()?;
    Ok(ProjectView {
        id: ProjectId::parse(&id).map_err(|_| unreadable())?,
        name,
        role: effective(WorkspaceRole::parse(&place), role, None).ok_or_else(unreadable)?,
        created_at: Timestamp::from_millis(created_at),
    })
}
