//! What was asked for while a repository is not ready.

use countersign_core::id::{ResourceId, WorkspaceId};
use countersign_core::time::Timestamp;

use crate::{Result, Saved, Tx, record};

record! {
    /// One request for a repository, from its first row to its end.
    pub struct Making in "repository_making" {
        /// The repository.
        repository_id: String,
        /// Who asked.
        person_id: String,
        /// The project that was named.
        project_id: String,
        /// The folder to import; nothing where it is made with a first README.
        folder: Option<String>,
        /// When it was asked for.
        asked_at: i64,
        /// The URL to import.
        url: Option<String>,
        /// How far that import is, in JSON.
        progress: Option<String>,
        /// When it failed for good.
        failed_at: Option<i64>,
        /// Why.
        reason: Option<String>,
    }
}

const FIND: &str = "SELECT {cols} FROM repository_making WHERE repository_id = $1";

/// What was asked for, as long as the repository is not ready.
pub async fn find(t: &Tx<'_>, id: ResourceId) -> Result<Option<Making>> {
    t.opt(FIND, &[&id.to_string()]).await
}

const UNDER_WAY: &str =
    "SELECT {cols} FROM repository_making WHERE url IS NOT NULL AND failed_at IS NULL ORDER BY asked_at";

/// The imports from a URL that have neither ended nor failed.
pub async fn under_way(t: &Tx<'_>) -> Result<Vec<Making>> {
    t.all(UNDER_WAY, &[]).await
}

const COUNT: &str = "SELECT COUNT(*) FROM repository_making m JOIN repository r ON r.id = m.repository_id \
    WHERE r.workspace_id = $1 AND m.url IS NOT NULL AND m.failed_at IS NULL";

/// How many of them are in one workspace.
pub async fn count_under_way(t: &Tx<'_>, workspace: WorkspaceId) -> Result<usize> {
    let found: Option<(i64,)> = t.opt(COUNT, &[&workspace.to_string()]).await?;
    Ok(found.and_then(|(count,)| usize::try_from(count).ok()).unwrap_or_default())
}

const OF: &str = "SELECT repository_id FROM repository_making m JOIN repository r ON r.id = m.repository_id \
    WHERE r.workspace_id = $1 AND m.url IS NOT NULL ORDER BY m.asked_at, r.name_key LIMIT 100";

/// The imports from a URL of one workspace that are not ready, each with the name of its repository; the oldest first.
pub async fn of(t: &Tx<'_>, workspace: WorkspaceId) -> Result<Vec<(String, Making)>> {
    let ids: Vec<(String,)> = t.all(OF, &[&workspace.to_string()]).await?;
    let mut list = Vec::new();
    for (id,) in ids {
        let name: Option<(String,)> = t.opt("SELECT name FROM repository WHERE id = $1", &[&id]).await?;
        let making: Option<Making> = t.opt(FIND, &[&id]).await?;
        list.extend(name.map(|(name,)| name).zip(making));
    }
    Ok(list)
}

const BY_ID: &str = "SELECT repository_id FROM repository_making WHERE repository_id = $1";
const PROGRESS: &str = "UPDATE repository_making SET progress = $2 \
    WHERE repository_id = $1 AND failed_at IS NULL RETURNING repository_id";

/// Notes how far an import is that has not failed.
pub async fn save_progress(t: &Tx<'_>, id: ResourceId, progress: &str) -> Result<Saved> {
    let key = id.to_string();
    let done: Option<(String,)> = t.opt(PROGRESS, &[&key, &progress]).await?;
    Saved::sort(t, done.map(|_| ()), BY_ID, &[&key]).await
}

const FAIL: &str = "UPDATE repository_making SET failed_at = $2, reason = $3, progress = NULL \
    WHERE repository_id = $1 AND failed_at IS NULL RETURNING repository_id";

/// Notes why an import failed for good, once.
pub async fn save_failed(t: &Tx<'_>, id: ResourceId, at: Timestamp, reason: &str) -> Result<Saved> {
    let key = id.to_string();
    let done: Option<(String,)> = t.opt(FAIL, &[&key, &at.millis(), &reason]).await?;
    Saved::sort(t, done.map(|_| ()), BY_ID, &[&key]).await
}

const AGAIN: &str = "UPDATE repository_making SET failed_at = NULL, reason = NULL, asked_at = $2 \
    WHERE repository_id = $1 AND failed_at IS NOT NULL RETURNING repository_id";

/// Lets an import that failed begin again.
pub async fn save_again(t: &Tx<'_>, id: ResourceId, at: Timestamp) -> Result<Saved> {
    let key = id.to_string();
    let done: Option<(String,)> = t.opt(AGAIN, &[&key, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), BY_ID, &[&key]).await
}

const END: &str = "DELETE FROM repository_making WHERE repository_id = $1";

/// Forgets the request of a repository that is ready.
pub async fn end(t: &Tx<'_>, id: ResourceId) -> Result<()> {
    t.exec(END, &[&id.to_string()]).await.map(|_| ())
}

const GIVE_UP_REQUEST: &str = "DELETE FROM repository_making WHERE repository_id = $1 \
    AND EXISTS (SELECT 1 FROM repository WHERE id = $1 AND ready_at IS NULL)";
const GIVE_UP: &str = "DELETE FROM repository WHERE id = $1 AND ready_at IS NULL";
const GIVE_UP_RESOURCE: &str = "DELETE FROM resource WHERE id = $1";

/// Takes back the rows of a repository that never became ready, and with them its name. Tells whether it did.
pub async fn give_up(t: &Tx<'_>, id: ResourceId) -> Result<bool> {
    let key = id.to_string();
    let _ = t.exec(GIVE_UP_REQUEST, &[&key]).await?;
    let gone = t.exec(GIVE_UP, &[&key]).await? > 0;
    if gone {
        let _ = t.exec(GIVE_UP_RESOURCE, &[&key]).await?;
    }
    Ok(gone)
}
