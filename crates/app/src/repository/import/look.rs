//! Look: how far an import is, or why it failed; and take back one that failed.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ProjectId, ResourceId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::TokenScope;
use countersign_store::repository_making::{self, Making};
use countersign_store::{Tx, Wake, repository};
use serde_json::Value;

use super::TOPIC;
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};

const LOOK: Action =
    Action { name: "repository.look_at_import", need: Need::Person(TokenScope::Api), effect: Effect::Read };
const DISCARD: Action = Action {
    name: "repository.discard_import",
    need: Need::Person(TokenScope::Api),
    effect: Effect::Destroy,
};

/// An import as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportView {
    /// The repository to be.
    pub id: ResourceId,
    /// Its name.
    pub name: String,
    /// The project that it comes into.
    pub project: ProjectId,
    /// Where from.
    pub url: String,
    /// How it stands.
    pub state: ImportState,
}

/// How an import stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportState {
    /// It has not begun, or another server has it.
    Waiting,
    /// Objects are coming: percent of all, and bytes so far.
    Receiving {
        /// Percent of all objects.
        percent: u8,
        /// Bytes on disk.
        bytes: u64,
    },
    /// Objects are put together: percent of all.
    Resolving {
        /// Percent of all.
        percent: u8,
    },
    /// Everything is there and is being checked.
    Checking,
    /// Failed for good, with the reason.
    Failed(String),
    /// The repository is ready.
    Done,
}

/// One import. It takes an owner of the workspace.
pub async fn look(app: &App, caller: &Caller, id: ResourceId) -> Result<ImportView, Problem> {
    gate::through(
        app,
        caller,
        LOOK,
        move |_| Box::pin(async move { Ok(Found::workspace(id)) }),
        |permit| async move {
            let (id, workspace) = (*permit.target(), permit.workspace());
            let found = app.db.read(move |t| Box::pin(find(t, workspace, id))).await?;
            found.ok_or_else(|| Problem::not_found("import"))
        },
    )
    .await
    .map_err(hidden)
}

/// Those of the workspace that have not ended well, the oldest first. It takes an owner of the workspace.
pub async fn imports(app: &App, caller: &Caller) -> Result<Vec<ImportView>, Problem> {
    gate::through(
        app,
        caller,
        LOOK,
        move |_| Box::pin(async { Ok(Found::workspace(())) }),
        |permit| async move {
            let workspace = permit.workspace();
            let rows =
                app.db.read(move |t| Box::pin(async move { repository_making::of(t, workspace).await }));
            let rows: Result<Vec<(String, Making)>, countersign_store::Error> = rows.await;
            rows?.into_iter().map(|(name, making)| view(name, &making)).collect()
        },
    )
    .await
}

async fn find(t: &Tx<'_>, workspace: WorkspaceId, id: ResourceId) -> Result<Option<ImportView>, Problem> {
    // The request before the row: one statement may see an end that the one before it did not, and a request that is
    // gone then has its row ready.
    let making = repository_making::find(t, id).await?.filter(|making| making.url.is_some());
    let row = repository::find(t, id).await?.filter(|row| row.workspace_id == workspace.to_string());
    let Some(row) = row else { return Ok(None) };
    if let Some(making) = making {
        return view(row.name, &making).map(Some);
    }
    let place = countersign_store::resource::find(t, id).await?;
    let (Some(_), Some(place)) = (row.ready_at, place) else { return Ok(None) };
    Ok(Some(ImportView {
        id,
        name: row.name,
        project: ProjectId::parse(&place.project_id).map_err(Problem::internal)?,
        url: String::new(),
        state: ImportState::Done,
    }))
}

fn view(name: String, making: &Making) -> Result<ImportView, Problem> {
    let state = match (&making.failed_at, &making.progress) {
        (Some(_), _) => ImportState::Failed(making.reason.clone().unwrap_or_default()),
        (None, None) => ImportState::Waiting,
        (None, Some(progress)) => step(&serde_json::from_str(progress).map_err(Problem::internal)?),
    };
    Ok(ImportView {
        id: ResourceId::parse(&making.repository_id).map_err(Problem::internal)?,
        name,
        project: ProjectId::parse(&making.project_id).map_err(Problem::internal)?,
        url: making.url.clone().unwrap_or_default(),
        state,
    })
}

fn step(progress: &Value) -> ImportState {
    let percent =
        progress["percent"].as_u64().and_then(|percent| u8::try_from(percent).ok()).unwrap_or_default();
    match progress["step"].as_str() {
        Some("receiving") => {
            ImportState::Receiving { percent, bytes: progress["bytes"].as_u64().unwrap_or_default() }
        }
        Some("resolving") => ImportState::Resolving { percent },
        Some("checking") => ImportState::Checking,
        Some(_) | None => ImportState::Waiting,
    }
}

/// Takes back an import that failed, and frees its name. It takes an owner of the workspace.
pub async fn discard(app: &App, caller: &Caller, id: ResourceId) -> Result<(), Problem> {
    gate::through(
        app,
        caller,
        DISCARD,
        move |_| Box::pin(async move { Ok(Found::workspace(id)) }),
        |permit| remove(app, permit),
    )
    .await
    .map_err(hidden)
}

/// Who may import nothing does not learn what is imported.
fn hidden(problem: Problem) -> Problem {
    if problem.code == Code::RoleRequired { Problem::not_found("import") } else { problem }
}

async fn remove(app: &App, permit: Permit<ResourceId>) -> Result<(), Problem> {
    let (id, workspace) = (*permit.target(), permit.workspace());
    let (record, audit) = (permit.record(Outcome::Done).on(Some(id)), AuditId::new(app.uuid()));
    permit
        .write(app, move |t| {
            Box::pin(async move {
                match find(t, workspace, id).await?.map(|view| view.state) {
                    Some(ImportState::Failed(_)) => {}
                    None => return Err(Problem::not_found("import")),
                    Some(_) => {
                        return Err(Problem::new(Code::VersionConflict, "This import has not failed.")
                            .next("Wait until it ends."));
                    }
                }
                repository_making::give_up(t, id).await?;
                record.append(t, audit).await?;
                t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
                Ok::<_, Problem>(())
            })
        })
        .await
}
