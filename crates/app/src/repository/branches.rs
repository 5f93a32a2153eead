//! The branches and tags of a repository, as a person reads them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use countersign_core::caller::Caller;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_git::Repo;
use countersign_git::ahead::Apart;
use countersign_git::history::CommitInfo;
use countersign_git::refs::{BranchTip, Branches, MOST_BRANCHES};

use super::heading::{self, Asked, Opened, Seen};
use super::view::{BranchRow, BranchesView, Of, TagRow};
use crate::App;
use crate::gate::{Action, Permit};
use crate::git_problem::git_problem;

/// The action.
pub const BRANCHES: Action = heading::action("repository.branches");

/// How many branches are on a page, and how many tags.
pub const ROWS: usize = 50;
/// How long tips are read and compared.
const TIME: Duration = Duration::from_secs(3);

/// The longest part of a name that is looked for, in characters.
const PART_MAX: usize = 200;

/// Which of them.
#[derive(Clone, Debug, Default)]
pub struct BranchesRequest {
    /// What their names hold, whatever its case.
    pub part: String,
    /// How many branches to skip.
    pub offset: usize,
    /// How many tags to skip.
    pub tags_offset: usize,
}

/// A page of the branches, and one of the tags.
pub async fn branches(
    app: &App,
    caller: &Caller,
    id: ResourceId,
    request: BranchesRequest,
) -> Result<BranchesView, Problem> {
    let part = request.part.trim().chars().take(PART_MAX).collect();
    let request = BranchesRequest { part, ..request };
    heading::through(app, caller, BRANCHES, id, |permit| run(app, permit, request)).await
}

/// A ref with its commit.
type Dated = (BranchTip, Option<CommitInfo>);

/// What Git says.
struct Found {
    seen: Seen,
    branches: Vec<(Dated, Option<Apart>)>,
    branches_of: Of,
    tags: Vec<Dated>,
    tags_of: Of,
}

async fn run(app: &App, permit: Permit<Opened>, request: BranchesRequest) -> Result<BranchesView, Problem> {
    let person = permit.person()?;
    let opened = permit.target().clone();
    let protected: Vec<String> =
        serde_json::from_str(&opened.row.protected_branches).map_err(Problem::internal)?;
    let asked = Asked::read(None, &opened)?;
    let default = BranchName::parse(&opened.row.default_branch);
    let default = default.map_err(|rule| Problem::internal(rule.to_string()))?;
    let wanted = request.clone();
    let look = move |repo: &Repo, stop: &AtomicBool| find(repo, &asked, (&default, &wanted), stop);
    let found = app.git.desk(person).within(opened.id, TIME, look).await.map_err(git_problem)?;
    let found = found.ok_or_else(|| heading::missing(None))?;
    let line = |commit: Option<CommitInfo>| commit.map(|commit| heading::line(app, &commit));
    let row = |((branch, commit), apart): (Dated, Option<Apart>)| BranchRow {
        is_default: branch.name.as_str() == opened.row.default_branch,
        is_protected: protected.iter().any(|name| name == branch.name.as_str()),
        name: branch.name.to_string(),
        last: line(commit),
        apart: apart.map(|apart| (apart.ahead, apart.behind)),
    };
    let branches = found.branches.into_iter().map(row).collect();
    let tags =
        found.tags.into_iter().map(|(tag, commit)| TagRow { name: tag.name.to_string(), last: line(commit) });
    Ok(BranchesView {
        part: request.part,
        branches,
        branches_of: found.branches_of,
        tags: tags.collect(),
        tags_of: found.tags_of,
        heading: heading::heading(opened, found.seen),
    })
}

fn find(
    repo: &Repo,
    asked: &Asked,
    (default, request): (&BranchName, &BranchesRequest),
    stop: &AtomicBool,
) -> countersign_git::Result<Option<Found>> {
    let Some(seen) = Seen::look(repo, asked, stop)? else { return Ok(None) };
    let mut branches = repo.branches_with(&request.part, stop)?;
    let mut tags = repo.tags_with(&request.part, MOST_BRANCHES, stop)?;
    // Whatever a list is cut at, the default branch is in it, and so is what is named whole.
    if request.part.is_empty() {
        add(&mut branches, default, repo.tip(default)?);
    } else if let Ok(name) = BranchName::parse(&request.part) {
        add(&mut branches, &name, repo.tip(&name)?);
        add(&mut tags, &name, repo.tag(&name)?);
    }
    let branches_of = of(&branches, request.offset);
    let tags_of = of(&tags, request.tags_offset);
    let first = if request.part.is_empty() { default.as_str() } else { &request.part };
    let branches = page(repo, branches, (first, request.offset), stop)?;
    let tags = page(repo, tags, (&request.part, request.tags_offset), stop)?;
    let tips: Vec<Oid> = branches.iter().map(|(branch, _)| branch.tip).collect();
    let apart = match seen.oid() {
        Some(base) => repo.apart(base, &tips, stop)?,
        None => vec![None; tips.len()],
    };
    Ok(Some(Found { seen, branches: branches.into_iter().zip(apart).collect(), branches_of, tags, tags_of }))
}

/// Adds a ref that is there and that a list was cut before.
fn add(list: &mut Branches, name: &BranchName, tip: Option<Oid>) {
    if let Some(tip) = tip.filter(|_| list.items.iter().all(|item| item.name != *name)) {
        list.items.push(BranchTip { name: name.clone(), tip });
    }
}

const fn of(list: &Branches, offset: usize) -> Of {
    Of { offset, total: list.items.len(), more: list.truncated }
}

/// A page of the refs with their commits.
fn page(
    repo: &Repo,
    list: Branches,
    (first, offset): (&str, usize),
    stop: &AtomicBool,
) -> countersign_git::Result<Vec<Dated>> {
    let sorted = by_time(repo, list.items, first, stop)?;
    let read = |branch: BranchTip| {
        let commit = repo.commit_line(branch.tip)?;
        Ok((branch, commit))
    };
    sorted.into_iter().skip(offset).take(ROWS).map(read).collect()
}

/// The refs: `first`, then those that changed last. When `stop` is raised, the rest stays in its order.
fn by_time(
    repo: &Repo,
    refs: Vec<BranchTip>,
    first: &str,
    stop: &AtomicBool,
) -> countersign_git::Result<Vec<BranchTip>> {
    let mut dated = Vec::new();
    for branch in refs {
        let over = stop.load(Ordering::Relaxed);
        dated.push((if over { None } else { repo.commit_time(branch.tip)? }, branch));
    }
    dated.sort_by_key(|(at, branch)| (branch.name.as_str() != first, std::cmp::Reverse(*at)));
    Ok(dated.into_iter().map(|(_, branch)| branch).collect())
}
