//! Run: the server fetches, tells how far it is, and ends the row: ready, or failed with a reason.

use std::time::Duration;

use countersign_core::id::{ResourceId, UserId};
use countersign_core::net::https_url::HttpsUrl;
use countersign_core::problem::{Code, Problem};
use countersign_fetch::guard::{self, GuardError};
use countersign_git::GitError;
use countersign_git::import::{Bounds, Progress, Remote};
use countersign_store::repository::Repository;
use countersign_store::repository_making::{self, Making};
use countersign_store::{Saved, Wake, repository};
use serde_json::json;
use tokio::sync::watch;

use super::TOPIC;
use crate::App;
use crate::actor::Actor;
use crate::git_problem::git_problem;
use crate::repository::whole::Whole;

/// How often progress is told.
const TELL: Duration = Duration::from_secs(1);

/// Goes on with every import that is under way, and is not so on another server.
pub async fn resume(app: &App) -> Result<(), Problem> {
    let rows = app.db.read(|t| Box::pin(async move { repository_making::under_way(t).await })).await;
    for row in rows.map_err(|error: countersign_store::Error| Problem::from(error))? {
        spawn(app, ResourceId::parse(&row.repository_id).map_err(Problem::internal)?);
    }
    Ok(())
}

/// Goes to work. Whoever comes second waits for the repository's lock and finds nothing left to do.
pub(super) fn spawn(app: &App, id: ResourceId) {
    let app = app.clone();
    tokio::spawn(async move {
        let (failed, reason) = match attempt(&app, id).await {
            Ok(()) => return,
            Err(Ended::Later(problem)) => {
                tracing::info!(repository = %id, %problem, "an import waits for the next round");
                return;
            }
            Err(Ended::Failed(reason)) => (app.now(), reason),
        };
        tracing::info!(repository = %id, reason, "an import failed");
        let noted = app.db.write(move |t| {
            Box::pin(async move {
                let saved = repository_making::save_failed(t, id, failed, &reason).await?;
                wake(t, id).await?;
                Ok::<_, Problem>(saved)
            })
        });
        if let Err(problem) = noted.await {
            tracing::warn!(repository = %id, %problem, "the failure of an import is not noted; it begins again");
        }
    });
}

/// How an attempt ended that brought no repository.
enum Ended {
    /// Nothing is wrong with it: the timer tries again.
    Later(Problem),
    /// For good, until a person begins it again.
    Failed(String),
}

impl From<Problem> for Ended {
    fn from(problem: Problem) -> Self {
        Self::Later(problem)
    }
}

impl From<GitError> for Ended {
    fn from(error: GitError) -> Self {
        if let GitError::Import(reason) = error {
            return Self::Failed(reason);
        }
        if error.is_passing() {
            return Self::Later(git_problem(error));
        }
        tracing::error!(%error, "an import failed on this side");
        Self::Failed(git_problem(error).message)
    }
}

impl From<GuardError> for Ended {
    fn from(error: GuardError) -> Self {
        Self::Failed(error.to_string())
    }
}

async fn attempt(app: &App, id: ResourceId) -> Result<(), Ended> {
    let Some((making, row)) = under_way(app, id).await? else { return Ok(()) };
    let text = making.url.as_deref().unwrap_or_default();
    let url = HttpsUrl::parse(text).map_err(|rule| Ended::Failed(rule.to_string()))?;
    let checked = guard::check(&url, &*app.resolver).await?;
    let addresses = checked.addresses().iter().map(|address| app.resolver.route(*address).ip()).collect();
    let remote = Remote {
        url: url.as_str().to_owned(),
        host: checked.host().to_owned(),
        port: checked.port(),
        addresses,
        roots: app.resolver.roots(),
    };
    let (said, heard) = watch::channel(None);
    let bounds = Bounds { size: Bounds::REMOTE.size.min(app.settings.repository_quota), ..Bounds::REMOTE };
    let fetch = app.git.import_remote(id, &remote, bounds, move |progress| {
        said.send_replace(Some(progress));
    });
    let fetched = tokio::select! {
        fetched = fetch => Ok(fetched?),
        told = tell(app, id, heard) => Err(told),
    };
    let branch = match fetched {
        Ok(branch) => branch,
        Err(ended) => {
            app.git.forget_import(id).await?;
            return Err(ended.into());
        }
    };
    let refs = app.git.refs_of_people(id).await.map_err(git_problem)?;
    let person = UserId::parse(&making.person_id).map_err(Problem::internal)?;
    let whole = Whole { branch, refs, actor: Actor::Person(person), summary: "imported" };
    let now = app.now();
    app.db
        .write(move |t| {
            Box::pin(async move {
                match whole.save(t, id, now).await? {
                    // Another server came first.
                    Saved::Done(()) | Saved::Changed => {}
                    Saved::Missing => return Err(Problem::not_found("repository")),
                }
                t.wake(Wake { workspace: row.workspace_id, topic: TOPIC.to_owned() });
                Ok::<_, Problem>(())
            })
        })
        .await?;
    Ok(())
}

/// The rows of an import that neither ended nor failed.
async fn under_way(app: &App, id: ResourceId) -> Result<Option<(Making, Repository)>, Problem> {
    app.db
        .read(move |t| {
            Box::pin(async move {
                let making = repository_making::find(t, id).await?;
                let row = repository::find(t, id).await?;
                let open = making.filter(|making| making.failed_at.is_none());
                Ok::<_, Problem>(open.zip(row))
            })
        })
        .await
}

/// Notes how far it is, as long as it goes on; ends when the row is gone or failed.
async fn tell(app: &App, id: ResourceId, mut heard: watch::Receiver<Option<Progress>>) -> Problem {
    loop {
        // Dropped with the fetch, which ends first then.
        if heard.changed().await.is_err() {
            return std::future::pending().await;
        }
        let Some(progress) = *heard.borrow_and_update() else { continue };
        let text = json(progress);
        let saved = app.db.write(move |t| {
            Box::pin(async move {
                let saved = repository_making::save_progress(t, id, &text).await?;
                wake(t, id).await?;
                Ok::<_, Problem>(saved)
            })
        });
        match saved.await {
            Ok(Saved::Done(())) => {}
            Ok(Saved::Changed | Saved::Missing) => {
                return Problem::new(Code::RepositoryBusy, "This import was ended elsewhere.");
            }
            Err(problem) => tracing::warn!(repository = %id, %problem, "progress is not noted"),
        }
        tokio::time::sleep(TELL).await;
    }
}

fn json(progress: Progress) -> String {
    match progress {
        Progress::Receiving { percent, bytes } => {
            json!({ "step": "receiving", "percent": percent, "bytes": bytes })
        }
        Progress::Resolving { percent } => json!({ "step": "resolving", "percent": percent }),
        Progress::Checking => json!({ "step": "checking" }),
    }
    .to_string()
}

async fn wake(t: &countersign_store::Tx<'_>, id: ResourceId) -> Result<(), Problem> {
    if let Some(row) = repository::find(t, id).await? {
        t.wake(Wake { workspace: row.workspace_id, topic: TOPIC.to_owned() });
    }
    Ok(())
}
