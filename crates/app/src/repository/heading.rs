//! What every page of a repository begins with: its row, the commit that the address names, branches and tags.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use countersign_core::caller::Caller;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_git::Repo;
use countersign_git::history::CommitInfo;
use countersign_git::named::{Named, Reference};
use countersign_git::refs::Branches;
use countersign_git::sign::Signature;
use countersign_store::repository::Repository;
use countersign_store::repository_page;

use super::list::clone_base;
use super::open;
use super::view::{At, AtKind, CommitLine, Heading};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};

/// How many branches, and how many tags, a page names.
const NAMED: usize = 50;
/// How long the commit that an address names is looked for, and what lies there is read.
pub(super) const LOOK_TIME: Duration = Duration::from_secs(3);

/// The action of looking at a page of a repository.
pub(super) const fn action(name: &'static str) -> Action {
    Action { name, need: Need::Person(TokenScope::Api), effect: Effect::Read }
}

/// A repository that the person may read, before anybody looked at Git.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    pub(super) id: ResourceId,
    pub(super) row: Repository,
    project: String,
    clone_url: String,
    role: MemberRole,
}

/// Passes the gate as a viewer, then does the work.
pub(super) async fn through<O, B, F>(
    app: &App,
    caller: &Caller,
    action: Action,
    id: ResourceId,
    body: B,
) -> Result<O, Problem>
where
    B: FnOnce(Permit<Opened>) -> F,
    F: Future<Output = Result<O, Problem>>,
{
    through_as(app, caller, action, (id, MemberRole::Viewer), body).await
}

/// The same for whoever has this role on it.
pub(super) async fn through_as<O, B, F>(
    app: &App,
    caller: &Caller,
    action: Action,
    (id, role): (ResourceId, MemberRole),
    body: B,
) -> Result<O, Problem>
where
    B: FnOnce(Permit<Opened>) -> F,
    F: Future<Output = Result<O, Problem>>,
{
    let base = app.settings.public_url.clone();
    gate::through(
        app,
        caller,
        action,
        move |t| {
            Box::pin(async move {
                let row = open::ready(t, id).await?;
                let (project, slug) =
                    repository_page::beside(t, id).await?.ok_or_else(|| Problem::not_found("resource"))?;
                let clone_url = format!("{}/{}.git", clone_base(&base, &slug), row.name);
                Ok(Found::resource(Opened { id, row, project, clone_url, role }, id, role))
            })
        },
        |permit| {
            let (role, opened) = (permit.role(), permit.target().clone());
            let done = body(permit.with(Opened { role, ..opened }).0);
            // Who came so far may know the repository, and finds the way back to it.
            async move { done.await.map_err(|problem| problem.fact("repository", id.to_string())) }
        },
    )
    .await
}

/// What an address names, before anybody looked whether it is there.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    text: Option<String>,
    reference: Reference,
    default: BranchName,
}

impl Asked {
    /// Reads a name; none is the default branch.
    pub(super) fn read(text: Option<String>, opened: &Opened) -> Result<Self, Problem> {
        let branch = &opened.row.default_branch;
        let default = BranchName::parse(branch).map_err(|rule| Problem::internal(rule.to_string()))?;
        let text = text.filter(|text| !text.is_empty());
        let reference = match &text {
            Some(text) => Reference::parse(text).ok_or_else(|| nowhere(text))?,
            None => Reference::Branch(default.clone()),
        };
        Ok(Self { text, reference, default })
    }
}

/// What Git says of it.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    at: Option<At>,
    branches: Vec<String>,
    tags: Vec<String>,
    more: bool,
}

impl Seen {
    /// The commit; `None` while the repository has none.
    pub(super) fn oid(&self) -> Option<Oid> {
        self.at.as_ref().map(|at| at.oid)
    }

    /// The commit alone, for what shows no branches.
    pub(super) fn commit(
        repo: &Repo,
        asked: &Asked,
        stop: &AtomicBool,
    ) -> countersign_git::Result<Option<Oid>> {
        Ok(repo.look_up(&asked.reference, stop)?.map(|(_, oid)| oid))
    }

    /// Looks. The default branch may be missing, where nobody pushed yet; whatever else is named must be there,
    /// and `None` says that it is not. A commit is looked for until `stop` is raised.
    pub(super) fn look(
        repo: &Repo,
        asked: &Asked,
        stop: &AtomicBool,
    ) -> countersign_git::Result<Option<Self>> {
        let at = repo.look_up(&asked.reference, stop)?.map(|(named, oid)| at(named, oid, &asked.default));
        if at.is_none() && asked.text.is_some() {
            return Ok(None);
        }
        let (branches, tags) = (repo.branches_with("", stop)?, repo.tags_with("", NAMED, stop)?);
        let default = repo.tip(&asked.default)?.map(|_| &asked.default);
        let more = branches.truncated || tags.truncated || branches.items.len() > NAMED;
        Ok(Some(Self { at, branches: first(&branches, default), tags: last(&tags), more }))
    }
}

fn at(named: Named, oid: Oid, default: &BranchName) -> At {
    match named {
        Named::Branch(name) => {
            let reference = (name != *default).then(|| name.to_string());
            At { kind: AtKind::Branch, name: name.to_string(), reference, oid }
        }
        // A branch of the same name would go before it.
        Named::Tag(name) => At {
            kind: AtKind::Tag,
            reference: Some(format!("refs/tags/{name}")),
            name: name.to_string(),
            oid,
        },
        Named::Commit(commit) => {
            At { kind: AtKind::Commit, name: commit.to_string(), reference: Some(commit.to_string()), oid }
        }
    }
}

/// The default branch, wherever its name stands among the others, and the first of these.
fn first(branches: &Branches, default: Option<&BranchName>) -> Vec<String> {
    let others = branches.items.iter().map(|branch| &branch.name).filter(|name| Some(*name) != default);
    default.into_iter().chain(others).take(NAMED).map(ToString::to_string).collect()
}

fn last(tags: &Branches) -> Vec<String> {
    tags.items.iter().rev().map(|tag| tag.name.to_string()).collect()
}

/// The heading of a page.
pub(super) fn heading(opened: Opened, seen: Seen) -> Heading {
    Heading {
        id: opened.id,
        name: opened.row.name,
        project: opened.project,
        role: opened.role,
        gitnest: opened.row.gitnest_on_at.is_some(),
        default_branch: opened.row.default_branch,
        clone_url: opened.clone_url,
        at: seen.at,
        branches: seen.branches,
        tags: seen.tags,
        more: seen.more,
    }
}

/// The refusal of a name that leads nowhere.
fn nowhere(text: &str) -> Problem {
    let shown: String = text.chars().take(200).collect();
    Problem::new(Code::BranchNotFound, "There is no such branch, tag or commit in this repository.")
        .fact("ref", shown)
}

/// The refusal of an address that leads to no commit: its name is wrong, or there is none yet.
pub(super) fn missing(reference: Option<&str>) -> Problem {
    match reference.filter(|text| !text.is_empty()) {
        Some(text) => nowhere(text),
        None => Problem::new(Code::BranchNotFound, "This repository has no commit yet.")
            .next("Push a first commit; the page of the repository shows how."),
    }
}

/// A commit in a line.
pub(super) fn line(app: &App, commit: &CommitInfo) -> CommitLine {
    CommitLine {
        oid: commit.oid,
        title: commit.title().chars().take(300).collect(),
        author: commit.author.name.chars().take(300).collect(),
        at: commit.committer.at,
        signed: matches!(app.signer.verify(&commit.bytes), Signature::Good(_)),
    }
}
