//! The repositories that a person sees, by project, with what happened last.

use std::sync::atomic::AtomicBool;

use countersign_core::caller::Caller;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::id::{ResourceId, UserId};
use countersign_core::problem::Problem;
use countersign_git::Repo;
use countersign_git::history::CommitInfo;
use countersign_store::project::Window;
use countersign_store::repository_page::{self, Listed};

use super::heading;
use super::view::{OverviewGroup, OverviewRow, OverviewView};
use crate::App;
use crate::gate::{self, Action, Found, Permit};

/// The action.
pub const OVERVIEW: Action = heading::action("repository.overview");

/// How many repositories are on a page: each is opened for its last commit.
pub const ROWS: usize = 50;
/// The longest text that names are searched for.
const QUERY_MAX: usize = 100;

/// The repositories whose name holds `query`, after the first `offset`.
pub async fn overview(
    app: &App,
    caller: &Caller,
    query: &str,
    offset: usize,
) -> Result<OverviewView, Problem> {
    let query: String = query.trim().chars().take(QUERY_MAX).collect();
    gate::through(
        app,
        caller,
        OVERVIEW,
        |_| Box::pin(async { Ok(Found::own(())) }),
        |permit| run(app, permit, query, offset),
    )
    .await
}

async fn run(app: &App, permit: Permit<()>, query: String, offset: usize) -> Result<OverviewView, Problem> {
    let person = permit.person()?;
    let (whose, part) = ((permit.workspace(), person), query.clone());
    let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let window = Window { limit: number(ROWS + 1), offset: number(offset) };
    let read = app.db.read(move |t| {
        Box::pin(async move { Ok::<_, Problem>(repository_page::list(t, whose, &part, window).await?) })
    });
    let mut rows: Vec<Listed> = read.await?;
    let more = rows.len() > ROWS;
    rows.truncate(ROWS);
    let mut groups: Vec<OverviewGroup> = Vec::new();
    for (id, name, project, on, default_branch) in rows {
        let id = ResourceId::parse(&id).map_err(Problem::internal)?;
        let last = last((app, person), id, &default_branch).await.map(|commit| heading::line(app, &commit));
        let row = OverviewRow { id, name, gitnest: on.is_some(), default_branch, last };
        match groups.last_mut().filter(|group| group.project == project) {
            Some(group) => group.rows.push(row),
            None => groups.push(OverviewGroup { project, rows: vec![row] }),
        }
    }
    Ok(OverviewView { query, groups, offset, more })
}

/// The last commit of the default branch. One repository that cannot be read does not hide the others.
async fn last((app, person): (&App, UserId), id: ResourceId, branch: &str) -> Option<CommitInfo> {
    let branch = BranchName::parse(branch).ok()?;
    let look = move |repo: &Repo, _: &AtomicBool| match repo.tip(&branch)? {
        Some(tip) => repo.commit_line(tip),
        None => Ok(None),
    };
    match app.git.desk(person).within(id, heading::LOOK_TIME, look).await {
        Ok(commit) => commit,
        Err(error) => {
            tracing::warn!(%error, repository = %id, "a repository in a list cannot be read");
            None
        }
    }
}
