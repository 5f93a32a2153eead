//! The branches and tags of a repository, as a person reads them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use countersign_core::caller::Caller;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_git::Repo;
use countersign_git::ahead::Apart;
use countersign_git::history::CommitInfo;
use countersign_git::refs::BranchTip;

use super::heading::{self, Asked, Opened, Seen};
use super::view::{BranchRow, BranchesView, TagRow};
use crate::App;
use crate::gate::{Action, Permit};
use crate::git_problem::git_problem;

/// The action.
pub const BRANCHES: Action = heading::action("repository.branches");

/// How many branches are on a page.
pub const ROWS: usize = 50;
/// How many tags are listed.
const TAGS: usize = 100;
/// How long tips are read and compared.
const TIME: Duration = Duration::from_secs(3);

/// A page of the branches; the tags are on the first.
pub async fn branches(
    app: &App,
    caller: &Caller,
    id: ResourceId,
    offset: usize,
) -> Result<BranchesView, Problem> {
    heading::through(app, caller, BRANCHES, id, |permit| run(app, permit, offset)).await
}

/// A ref with its commit.
type Dated = (BranchTip, Option<CommitInfo>);

/// What Git says.
struct Found {
    seen: Seen,
    branches: Vec<(Dated, Option<Apart>)>,
    tags: Vec<Dated>,
    total: usize,
    more: bool,
}

async fn run(app: &App, permit: Permit<Opened>, offset: usize) -> Result<BranchesView, Problem> {
    let opened = permit.target().clone();
    let protected: Vec<String> =
        serde_json::from_str(&opened.row.protected_branches).map_err(Problem::internal)?;
    let asked = Asked::read(None, &opened)?;
    let default = opened.row.default_branch.clone();
    let look = move |repo: &Repo, stop: &AtomicBool| find(repo, &asked, (&default, offset), stop);
    let found = app.git.within(opened.id, TIME, look).await.map_err(git_problem)?;
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
        branches,
        offset,
        total: found.total,
        tags: tags.collect(),
        more: found.more,
        heading: heading::heading(opened, found.seen),
    })
}

fn find(
    repo: &Repo,
    asked: &Asked,
    (default, offset): (&str, usize),
    stop: &AtomicBool,
) -> countersign_git::Result<Option<Found>> {
    let Some(seen) = Seen::look(repo, asked, stop)? else { return Ok(None) };
    let (all, tags) = (repo.branches()?, repo.tags(TAGS)?);
    let (total, more) = (all.items.len(), all.truncated || tags.truncated);
    let branches: Vec<BranchTip> = by_time(repo, all.items, default, stop)?;
    let branches = lines(repo, branches.into_iter().skip(offset).take(ROWS))?;
    let tips: Vec<Oid> = branches.iter().map(|(branch, _)| branch.tip).collect();
    let apart = match seen.oid() {
        Some(base) => repo.apart(base, &tips, stop)?,
        None => vec![None; tips.len()],
    };
    let tags = if offset == 0 { lines(repo, by_time(repo, tags.items, "", stop)?)? } else { Vec::new() };
    Ok(Some(Found { seen, branches: branches.into_iter().zip(apart).collect(), tags, total, more }))
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

/// The refs with their commits.
fn lines(repo: &Repo, refs: impl IntoIterator<Item = BranchTip>) -> countersign_git::Result<Vec<Dated>> {
    refs.into_iter()
        .map(|branch| {
            let commit = repo.commit_line(branch.tip)?;
            Ok((branch, commit))
        })
        .collect()
}
