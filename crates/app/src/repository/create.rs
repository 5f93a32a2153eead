//! Make a repository with a first README, or import one from a folder on the server's machine.
//!
//! The row comes first, the folder second, `ready_at` last: the same call again goes on where it
//! was cut short.

use std::path::PathBuf;

use countersign_core::caller::Caller;
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::identity::Identity;
use countersign_core::gitnest::message::{AgentMessage, CommitMessage};
use countersign_core::id::{AuditId, ProjectId, ResourceId, UserId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::TokenScope;
use countersign_store::event::{self, NewEvent};
use countersign_store::repository::Repository;
use countersign_store::resource::Resource;
use countersign_store::{Inserted, Saved, grant};
use serde::Serialize;

use crate::App;
use crate::actor::Actor;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};
use crate::proposal::git_problem;

/// The action of making one.
pub const CREATE: Action =
    Action { name: "repository.create", need: Need::Person(TokenScope::Api), effect: Effect::Write };
/// The action of importing one; it names a folder on the server's machine, so it takes a workspace owner.
pub const IMPORT: Action =
    Action { name: "repository.import", need: Need::Person(TokenScope::Api), effect: Effect::Write };

/// The kind of a repository among resources.
pub const KIND: &str = "gitnest_repository";
/// The branch of a repository that is made here.
const MAIN: &str = "main";

/// A repository to be made.
#[derive(Clone, Debug)]
pub struct NewRepository {
    /// Its name: 1–64 of `A-Za-z0-9_-`.
    pub name: String,
    /// The project that it comes into.
    pub project: ProjectId,
    /// The folder to import; without one it is made with a first README.
    pub folder: Option<PathBuf>,
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

/// Makes a repository with a first README.
pub async fn create(app: &App, caller: &Caller, new: NewRepository) -> Result<Made, Problem> {
    make(app, caller, CREATE, new).await
}

/// Imports every branch and tag of a folder on the server's machine.
pub async fn import(app: &App, caller: &Caller, new: NewRepository) -> Result<Made, Problem> {
    make(app, caller, IMPORT, new).await
}

async fn make(app: &App, caller: &Caller, action: Action, new: NewRepository) -> Result<Made, Problem> {
    check_name(&new.name)?;
    gate::through(
        app,
        caller,
        action,
        move |_| Box::pin(async move { Ok(Found::workspace(new)) }),
        |permit| run(app, permit),
    )
    .await
}

fn check_name(name: &str) -> Result<(), Problem> {
    let fits = !name.is_empty()
        && name.len() <= 64
        && !name.starts_with('-')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    fits.then_some(()).ok_or_else(|| {
        Problem::invalid("name", "1 to 64 letters, digits, `-` and `_`, not beginning with `-`")
    })
}

async fn run(app: &App, permit: Permit<NewRepository>) -> Result<Made, Problem> {
    let new = permit.target().clone();
    let id = claim_name(app, &permit, &new).await?;
    let default_branch = match &new.folder {
        None => made_branch(app, &permit, id).await?,
        Some(folder) => app.git.import_folder(id, folder).await.map_err(git_problem)?,
    };
    finish(app, &permit, (id, &default_branch)).await?;
    Ok(Made { id, name: new.name, default_branch: default_branch.to_string() })
}

/// Inserts resource and row, or finds those of the same call that was cut short.
async fn claim_name(
    app: &App,
    permit: &Permit<NewRepository>,
    new: &NewRepository,
) -> Result<ResourceId, Problem> {
    let (workspace, now, id) = (permit.workspace(), permit.at(), ResourceId::new(app.uuid()));
    let new = new.clone();
    app.db
        .write(move |t| {
            Box::pin(async move {
                if !countersign_store::project::is_in(t, new.project, workspace).await? {
                    return Err(Problem::not_found("project"));
                }
                let key = new.name.to_lowercase();
                if let Some(row) = countersign_store::repository::find_in(t, workspace, &key).await? {
                    if row.ready_at.is_some() {
                        return Err(Problem::new(
                            Code::NameTaken,
                            format!("There is a repository `{}`.", row.name),
                        ));
                    }
                    return ResourceId::parse(&row.id).map_err(Problem::internal);
                }
                let resource = Resource {
                    id: id.to_string(),
                    workspace_id: workspace.to_string(),
                    project_id: new.project.to_string(),
                    kind: KIND.to_owned(),
                    name: new.name.clone(),
                    next_seq: 0,
                    created_at: now.millis(),
                    updated_at: now.millis(),
                };
                resource.insert(t).await?;
                let row = Repository {
                    id: id.to_string(),
                    workspace_id: workspace.to_string(),
                    name: new.name,
                    name_key: key,
                    default_branch: MAIN.to_owned(),
                    protected_branches: "[]".to_owned(),
                    protected_paths: "[]".to_owned(),
                    other_decider: None,
                    gitnest_on_at: None,
                    ready_at: None,
                    created_at: now.millis(),
                };
                match row.insert_once(t).await? {
                    Inserted::New => Ok(id),
                    Inserted::Existed => Err(Problem::new(Code::NameTaken, "This name was taken just now.")),
                }
            })
        })
        .await
}

async fn made_branch(
    app: &App,
    permit: &Permit<NewRepository>,
    id: ResourceId,
) -> Result<BranchName, Problem> {
    let person = identity(app, permit.person()?).await?;
    let branch = BranchName::parse(MAIN).map_err(|rule| Problem::internal(rule.to_string()))?;
    let text =
        AgentMessage::parse("Begin with a README").map_err(|rule| Problem::internal(rule.to_string()))?;
    let new = countersign_git::create::NewRepository {
        branch: branch.clone(),
        readme: format!("# {}\n", permit.target().name),
        author: person,
        at: permit.at(),
        message: CommitMessage::plain(&text),
    };
    let _ = app.git.create(id, new, &app.signer).await.map_err(git_problem)?;
    Ok(branch)
}

/// A person as they stand in a commit header.
pub(crate) async fn identity(app: &App, person: UserId) -> Result<Identity, Problem> {
    let found = app
        .db
        .read(move |t| Box::pin(async move { Ok::<_, Problem>(grant::person(t, person).await?) }))
        .await?;
    let (name, mail) = found.ok_or_else(|| Problem::internal("a person without a row"))?;
    Ok(Identity::new(&name, &mail))
}

async fn finish(
    app: &App,
    permit: &Permit<NewRepository>,
    (id, branch): (ResourceId, &BranchName),
) -> Result<(), Problem> {
    let now = app.now();
    let record = permit.record(Outcome::Done).on(Some(id)).detail("name", permit.target().name.as_str());
    let (audit, actor) = (AuditId::new(app.uuid()), Actor::of(permit.caller()));
    let protected = serde_json::json!([branch.as_str()]).to_string();
    let (branch, imported) = (branch.to_string(), permit.target().folder.is_some());
    app.db
        .write(move |t| {
            Box::pin(async move {
                match countersign_store::repository::save_ready(t, id, now, &branch, &protected).await? {
                    Saved::Done(()) => {}
                    Saved::Changed => return Ok(()),
                    Saved::Missing => return Err(Problem::internal("a repository's row vanished")),
                }
                record.append(t, audit).await?;
                let summary = if imported { "imported" } else { "made" };
                let event = NewEvent {
                    kind: "repository.created".to_owned(),
                    at: now,
                    actor: actor.json(),
                    summary: summary.to_owned(),
                    refs: serde_json::json!({ "default_branch": branch }).to_string(),
                };
                event::append(t, id, event).await?;
                Ok::<_, Problem>(())
            })
        })
        .await
}
