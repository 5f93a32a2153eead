//! The branches of a repository, or its tags, by name: for whoever goes through all of them.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use countersign_core::caller::Caller;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use countersign_core::page::{Cursor, Part, Slice};
use countersign_core::problem::Problem;
use countersign_git::Repo;
use countersign_git::history::CommitInfo;
use countersign_git::refs::MOST_BRANCHES;

use super::heading::{self, Opened};
use super::view::CommitLine;
use crate::App;
use crate::gate::{Action, Permit};
use crate::git_problem::git_problem;

/// The action.
const NAMES: Action = heading::action("repository.names");

/// How long names and tips are read.
const TIME: Duration = Duration::from_secs(3);

/// What is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// Branches.
    Branch,
    /// Tags.
    Tag,
}

/// A branch or a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameRow {
    /// Its name.
    pub name: String,
    /// The commit that it leads to.
    pub oid: Oid,
    /// That commit, where it can be read.
    pub last: Option<CommitLine>,
}

/// A page of those whose names hold `text`, whatever its case; of more than a thousand, a longer text finds the rest.
pub async fn names(
    app: &App,
    caller: &Caller,
    id: ResourceId,
    (kind, text): (NameKind, String),
    part: Part,
) -> Result<Slice<NameRow>, Problem> {
    heading::through(app, caller, NAMES, id, |permit| run(app, permit, (kind, text), part)).await
}

async fn run(
    app: &App,
    permit: Permit<Opened>,
    (kind, text): (NameKind, String),
    part: Part,
) -> Result<Slice<NameRow>, Problem> {
    let wanted = part.clone();
    let look = move |repo: &Repo, stop: &AtomicBool| {
        let found = match kind {
            NameKind::Branch => repo.branches_with(&text, stop)?,
            NameKind::Tag => repo.tags_with(&text, MOST_BRANCHES, stop)?,
        };
        let mut tips: Vec<(String, Oid)> =
            found.items.into_iter().map(|found| (found.name.to_string(), found.tip)).collect();
        tips.sort_unstable();
        let behind = |name: &str| wanted.after().is_none_or(|after| name > after.key());
        let tips = tips.into_iter().filter(|(name, _)| behind(name)).take(wanted.limit() + 1);
        tips.map(|(name, tip)| Ok((name, tip, repo.commit_line(tip)?))).collect()
    };
    let found: Vec<(String, Oid, Option<CommitInfo>)> =
        app.git.desk(permit.person()?).within(permit.target().id, TIME, look).await.map_err(git_problem)?;
    let row = |(name, oid, last): (String, Oid, Option<CommitInfo>)| NameRow {
        name,
        oid,
        last: last.map(|commit| heading::line(app, &commit)),
    };
    Ok(part.cut(found.into_iter().map(row).collect(), |row| Cursor::new(&row.name, "")))
}
