//! Make a repository, with a first README or empty, or import one from a folder on the server's machine.
//!
//! The row comes first, the folder second, `ready_at` last: the same call again goes on where it
//! was cut short.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use countersign_core::caller::Caller;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::message::{AgentMessage, CommitMessage};
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::{AuditId, ProjectId, ResourceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::TokenScope;
use countersign_store::Saved;
use serde::Serialize;

use super::claim;
use super::whole::Whole;
use crate::App;
use crate::actor::Actor;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};
use crate::git_problem::git_problem;
use crate::person;

/// The action of making one.
pub const CREATE: Action =
    Action { name: "repository.create", need: Need::Person(TokenScope::Api), effect: Effect::Write };
/// The action of importing one; it names a folder on the server's machine, so it takes a workspace owner.
pub const IMPORT: Action =
    Action { name: "repository.import", need: Need::Person(TokenScope::Api), effect: Effect::Write };

/// The kind of a repository among resources.
pub const KIND: &str = "gitnest_repository";
/// The branch of a repository that is made here.
pub(super) const MAIN: &str = "main";

/// A repository to be made.
#[derive(Clone, Debug)]
pub struct NewRepository {
    /// Its name: 1–64 of `A-Za-z0-9_-`.
    pub name: String,
    /// The project that it comes into.
    pub project: ProjectId,
    /// What is in it at first.
    pub first: First,
}

/// What a repository begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum First {
    /// A README with its name.
    Readme,
    /// Nothing: the first push brings it.
    Nothing,
    /// Every branch and tag of a folder on the server's machine.
    Folder(PathBuf),
}

impl First {
    pub(super) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Readme | Self::Nothing => None,
            Self::Folder(folder) => Some(folder),
        }
    }
}

/// A repository that was made.
#[derive(Clone, Debug, Serialize)]
pub struct Made {
    /// Its id.
    pub id: ResourceId,
    /// Its name.
    pub name: String,
    /// Its default branch, which is protected.
    pub default_branch: String,
}

/// Makes a repository, with a first README or empty.
pub async fn create(app: &App, caller: &Caller, new: NewRepository) -> Result<Made, Problem> {
    make(app, caller, CREATE, new).await
}

/// Imports every branch and tag of a folder on the server's machine.
pub async fn import(app: &App, caller: &Caller, new: NewRepository) -> Result<Made, Problem> {
    make(app, caller, IMPORT, new).await
}

async fn make(app: &App, caller: &Caller, action: Action, new: NewRepository) -> Result<Made, Problem> {
    check_name(&new.name)?;
    check_folder(&new)?;
    gate::through(
        app,
        caller,
        action,
        move |_| Box::pin(async move { Ok(Found::workspace(new)) }),
        |permit| run(app, permit),
    )
    .await
}

pub(super) fn check_name(name: &str) -> Result<(), Problem> {
    let fits = !name.is_empty()
        && name.len() <= countersign_core::limit::REPOSITORY_NAME
        && !name.starts_with('-')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    fits.then_some(()).ok_or_else(|| {
        Problem::invalid("name", "1 to 64 letters, digits, `-` and `_`, not beginning with `-`")
    })
}

/// No path holds a NUL, and no store on both engines.
fn check_folder(new: &NewRepository) -> Result<(), Problem> {
    let text = new.first.folder().map(Path::to_string_lossy).unwrap_or_default();
    let fits = !text.chars().any(char::is_control);
    fits.then_some(()).ok_or_else(|| Problem::invalid("folder", "a path without control characters"))
}

async fn run(app: &App, permit: Permit<NewRepository>) -> Result<Made, Problem> {
    let new = permit.target().clone();
    let id = claim::name(app, &permit).await?;
    let made = match &new.first {
        First::Readme => {
            let first = readme(app, &permit).await?;
            let branch = first.branch.clone();
            app.git.create(id, first, &app.signer).await.map(|_| branch)
        }
        First::Nothing => {
            let branch = main()?;
            app.git.create_empty(id, &branch).await.map(|()| branch)
        }
        First::Folder(folder) => app.git.import_folder(id, folder).await,
    };
    let default_branch = match made {
        Ok(branch) => branch,
        Err(error) => {
            claim::release(app, id, &error).await;
            return Err(git_problem(error));
        }
    };
    let refs = app.git.refs_of_people(id).await.map_err(git_problem)?;
    finish(app, &permit, (id, &default_branch, refs)).await?;
    Ok(Made { id, name: new.name, default_branch: default_branch.to_string() })
}

fn main() -> Result<BranchName, Problem> {
    BranchName::parse(MAIN).map_err(|rule| Problem::internal(rule.to_string()))
}

/// What the first commit is.
async fn readme(
    app: &App,
    permit: &Permit<NewRepository>,
) -> Result<countersign_git::create::NewRepository, Problem> {
    let by = permit.person()?;
    let text =
        AgentMessage::parse("Begin with a README").map_err(|rule| Problem::internal(rule.to_string()))?;
    Ok(countersign_git::create::NewRepository {
        branch: main()?,
        readme: format!("# {}\n", permit.target().name),
        author: app.db.read(move |t| Box::pin(person::identity(t, by))).await?,
        at: permit.at(),
        message: CommitMessage::plain(&text),
    })
}

async fn finish(
    app: &App,
    permit: &Permit<NewRepository>,
    (id, branch, refs): (ResourceId, &BranchName, BTreeMap<String, Oid>),
) -> Result<(), Problem> {
    let now = app.now();
    let record = permit.record(Outcome::Done).on(Some(id)).detail("name", permit.target().name.as_str());
    let audit = AuditId::new(app.uuid());
    let summary = if permit.target().first.folder().is_some() { "imported" } else { "made" };
    let name = permit.target().name.clone();
    let whole = Whole { branch: branch.clone(), refs, actor: Actor::of(permit.caller()), summary };
    permit
        .write(app, move |t| {
            Box::pin(async move {
                match whole.save(t, id, now).await? {
                    Saved::Done(()) => {}
                    // The same request ran twice at once and the other one came first.
                    Saved::Changed => return Err(claim::taken(&name)),
                    // The other one failed for good and took the claim back.
                    Saved::Missing => {
                        return Err(Problem::new(
                            Code::RepositoryBusy,
                            "The same request failed at the same moment.",
                        ));
                    }
                }
                record.append(t, audit).await?;
                Ok::<_, Problem>(())
            })
        })
        .await
}
