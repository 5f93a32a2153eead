//! What an owner of a repository manages: how its settings stand, and what can be chosen.

use std::sync::atomic::AtomicBool;

use countersign_core::caller::Caller;
use countersign_core::id::{ProjectId, ResourceId};
use countersign_core::problem::Problem;
use countersign_core::role::MemberRole;
use countersign_git::Repo;

use super::heading::{self, Asked, Opened, Seen};
use super::rules::RulesView;
use super::view::Heading;
use crate::App;
use crate::gate::{Action, Permit};
use crate::git_problem::git_problem;

/// The action.
const MANAGE: Action = heading::action("repository.manage");

/// The settings of a repository, for an owner of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManageView {
    /// What stands above it.
    pub heading: Heading,
    /// The project that it is in.
    pub project: ProjectId,
    /// The branches by name, as many as Git lists at once; the default one is among them, pushed or not.
    pub branches: Vec<String>,
    /// What is protected, and who decides.
    pub rules: RulesView,
}

/// The settings as they stand. It takes an owner of the repository.
pub async fn manage(app: &App, caller: &Caller, id: ResourceId) -> Result<ManageView, Problem> {
    heading::through_as(app, caller, MANAGE, (id, MemberRole::Owner), |permit| run(app, permit)).await
}

async fn run(app: &App, permit: Permit<Opened>) -> Result<ManageView, Problem> {
    let person = permit.person()?;
    let opened = permit.target().clone();
    let project = permit.place().and_then(|place| place.project);
    let asked = Asked::read(None, &opened)?;
    let look = move |repo: &Repo, stop: &AtomicBool| Ok((Seen::look(repo, &asked, stop)?, repo.branches()?));
    let (seen, branches) =
        app.git.desk(person).within(opened.id, heading::LOOK_TIME, look).await.map_err(git_problem)?;
    let seen = seen.ok_or_else(|| heading::missing(None))?;
    let mut branches: Vec<String> =
        branches.items.into_iter().map(|branch| branch.name.to_string()).collect();
    if !branches.contains(&opened.row.default_branch) {
        branches.insert(0, opened.row.default_branch.clone());
    }
    Ok(ManageView {
        project: project.ok_or_else(|| Problem::not_found("resource"))?,
        branches,
        rules: RulesView::of(&opened.row, project, permit.role())?,
        heading: heading::heading(opened, seen),
    })
}
