//! Claim the name of a repository that is to be made, and take the claim back when nothing came of it.
//!
//! A claim that was cut short belongs to its request: the same person, project, spelling and folder go on with it.
//! For everybody else the name is taken.

use countersign_core::id::{ProjectId, ResourceId, UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_git::GitError;
use countersign_git::lock::Hold;
use countersign_store::repository::Repository;
use countersign_store::repository_making::{self, Making};
use countersign_store::resource::Resource;
use countersign_store::{Inserted, Tx};

use super::create::{KIND, MAIN, NewRepository};
use crate::App;
use crate::gate::Permit;

/// What is asked for, and by whom.
pub(super) struct Request {
    pub(super) workspace: WorkspaceId,
    pub(super) person: UserId,
    pub(super) project: ProjectId,
    pub(super) name: String,
    pub(super) folder: Option<String>,
    pub(super) url: Option<String>,
    pub(super) now: Timestamp,
}

impl Request {
    fn is_of(&self, row: &Repository, making: &Making) -> bool {
        row.name == self.name
            && making.person_id == self.person.to_string()
            && making.project_id == self.project.to_string()
            && making.folder == self.folder
            && making.url == self.url
    }
}

impl Request {
    /// What the holder of `permit` asks for, without a source.
    pub(super) fn of<T>(permit: &Permit<T>, project: ProjectId, name: &str) -> Result<Self, Problem> {
        Ok(Self {
            workspace: permit.workspace(),
            person: permit.person()?,
            project,
            name: name.to_owned(),
            folder: None,
            url: None,
            now: permit.at(),
        })
    }
}

/// Inserts resource and row, or finds those of the same request that was cut short.
pub(super) async fn name(app: &App, permit: &Permit<NewRepository>) -> Result<ResourceId, Problem> {
    let (new, id) = (permit.target().clone(), ResourceId::new(app.uuid()));
    let folder = new.first.folder().map(|folder| folder.to_string_lossy().into_owned());
    let request = Request { folder, ..Request::of(permit, new.project, &new.name)? };
    permit.write(app, move |t| Box::pin(async move { claim(t, &request, id).await })).await
}

/// The same within a transaction; `id` is the one of a repository that is not there yet.
pub(super) async fn claim(t: &Tx<'_>, request: &Request, id: ResourceId) -> Result<ResourceId, Problem> {
    if !countersign_store::project::is_in(t, request.project, request.workspace).await? {
        return Err(Problem::not_found("project"));
    }
    let key = request.name.to_lowercase();
    match countersign_store::repository::find_in(t, request.workspace, &key).await? {
        Some(row) => go_on(t, request, &row).await,
        None => begin(t, request, id, key).await,
    }
}

/// The repository of a claim that is there, if it is this request's.
async fn go_on(t: &Tx<'_>, request: &Request, row: &Repository) -> Result<ResourceId, Problem> {
    if row.ready_at.is_some() {
        return Err(taken(&row.name));
    }
    let id = ResourceId::parse(&row.id).map_err(Problem::internal)?;
    match repository_making::find(t, id).await? {
        Some(making) if request.is_of(row, &making) => Ok(id),
        Some(_) | None => Err(Problem::new(
            Code::NameTaken,
            format!("A repository `{}` is being made by another request.", row.name),
        )
        .next("Choose another name, or let who began it send the same request again.")),
    }
}

async fn begin(t: &Tx<'_>, request: &Request, id: ResourceId, key: String) -> Result<ResourceId, Problem> {
    let resource = Resource {
        id: id.to_string(),
        workspace_id: request.workspace.to_string(),
        project_id: request.project.to_string(),
        kind: KIND.to_owned(),
        name: request.name.clone(),
        next_seq: 0,
        created_at: request.now.millis(),
        updated_at: request.now.millis(),
    };
    resource.insert(t).await?;
    let row = Repository {
        id: id.to_string(),
        workspace_id: request.workspace.to_string(),
        name: request.name.clone(),
        name_key: key,
        default_branch: MAIN.to_owned(),
        protected_branches: "[]".to_owned(),
        protected_paths: "[]".to_owned(),
        other_decider: None,
        gitnest_on_at: None,
        ready_at: None,
        created_at: request.now.millis(),
    };
    match row.insert_once(t).await? {
        Inserted::New => {}
        Inserted::Existed => return Err(Problem::new(Code::NameTaken, "This name was taken just now.")),
    }
    let making = Making {
        repository_id: id.to_string(),
        person_id: request.person.to_string(),
        project_id: request.project.to_string(),
        folder: request.folder.clone(),
        asked_at: request.now.millis(),
        url: request.url.clone(),
        progress: None,
        failed_at: None,
        reason: None,
    };
    making.insert(t).await?;
    Ok(id)
}

/// The refusal of a name that a repository has.
pub(super) fn taken(name: &str) -> Problem {
    Problem::new(Code::NameTaken, format!("There is a repository `{name}`."))
}

/// Frees the name again when making the folder failed for good and there is no folder.
///
/// Under the repository's lock, so that it is not taken from the same request that is at work just now. What fails
/// here leaves the claim, which the same request goes on with.
pub(super) async fn release(app: &App, id: ResourceId, error: &GitError) {
    if error.is_passing() {
        return;
    }
    let Ok(_lock) = app.git.lock(id, Hold::Exclusive).await else { return };
    if app.git.exists(id) {
        return;
    }
    let gone = app.db.write(move |t| Box::pin(async move { repository_making::give_up(t, id).await }));
    let gone: Result<bool, countersign_store::Error> = gone.await;
    if let Err(error) = gone {
        tracing::warn!(repository = %id, cause = %error, "the name of a repository that failed stays claimed");
    }
}
