//! Repositories: the row beside the bare Git repository on disk.

use countersign_core::id::{ResourceId, UserId, WorkspaceId};
use countersign_core::time::Timestamp;

use crate::{ByName, Result, Saved, Tx, record};

record! {
    /// A Git repository that the server keeps.
    pub struct Repository in "repository" {
        /// The id of its resource.
        id: String,
        /// The tenant.
        workspace_id: String,
        /// Its name, as shown and as in its URL.
        name: String,
        /// The name folded, unique in the workspace.
        name_key: String,
        /// The branch that HEAD names.
        default_branch: String,
        /// Protected branches, a JSON list.
        protected_branches: String,
        /// Protected paths beside the built-in ones, a JSON list.
        protected_paths: String,
        /// Since when another person than the connection owner must decide.
        other_decider: Option<i64>,
        /// Since when agents see it.
        gitnest_on_at: Option<i64>,
        /// Since when its folder is complete.
        ready_at: Option<i64>,
        /// When it was made.
        created_at: i64,
    }
}

const FIND: &str = "SELECT {cols} FROM repository WHERE id = $1";

/// The repository with this id.
pub async fn find(t: &Tx<'_>, id: ResourceId) -> Result<Option<Repository>> {
    t.opt(FIND, &[&id.to_string()]).await
}

const FIND_BY_NAME: &str = "SELECT r.id FROM repository r JOIN workspace w ON w.id = r.workspace_id \
    WHERE w.slug = $1 AND r.name_key = $2 AND w.id = $3 AND r.ready_at IS NOT NULL";

/// The id of the repository at `/git/<slug>/<name>.git`, if it is in this workspace.
pub async fn find_by_name(
    t: &Tx<'_>,
    slug: &str,
    name: &str,
    workspace: WorkspaceId,
) -> Result<Option<String>> {
    let found: Option<(String,)> =
        t.opt(FIND_BY_NAME, &[&slug, &name.to_lowercase(), &workspace.to_string()]).await?;
    Ok(found.map(|(id,)| id))
}

const LIST: &str = "SELECT {cols} FROM repository WHERE workspace_id = $1 ORDER BY name_key, id";

/// Every repository of a workspace, by name.
pub async fn list(t: &Tx<'_>, workspace: WorkspaceId) -> Result<Vec<Repository>> {
    t.all(LIST, &[&workspace.to_string()]).await
}

const LIST_FOR: &str = "SELECT g.id, g.name, r.project_id, g.gitnest_on_at, g.default_branch FROM repository g \
    JOIN resource r ON r.id = g.id \
    JOIN workspace_member wm ON wm.workspace_id = g.workspace_id AND wm.user_id = $2 \
    LEFT JOIN project_member pm ON pm.project_id = r.project_id AND pm.user_id = $2 \
    LEFT JOIN repository_member rm ON rm.repository_id = g.id AND rm.user_id = $2 \
    WHERE g.workspace_id = $1 AND g.ready_at IS NOT NULL \
    AND (wm.role = 'owner' OR pm.role IS NOT NULL OR rm.role IS NOT NULL) \
    AND (g.name_key, g.id) > ($3, $4) ORDER BY g.name_key, g.id LIMIT $5";

/// A repository that a person sees: id, name, project, since when GitNest is on, default branch.
pub type SeenRepository = (String, String, String, Option<i64>, String);

/// At most `limit` of the repositories that a person sees, by the key of their names, behind one of them.
pub async fn list_for(
    t: &Tx<'_>,
    (workspace, person): (WorkspaceId, UserId),
    behind: ByName,
    limit: i64,
) -> Result<Vec<SeenRepository>> {
    let (workspace, person) = (workspace.to_string(), person.to_string());
    t.all(LIST_FOR, &[&workspace, &person, &behind.name, &behind.id, &limit]).await
}

const ONE_FOR: &str = "SELECT g.id, g.name, r.project_id, g.gitnest_on_at, g.default_branch FROM repository g \
    JOIN resource r ON r.id = g.id WHERE g.id = $1 AND g.ready_at IS NOT NULL";

/// The same of one repository, whoever sees it.
pub async fn one_for(t: &Tx<'_>, id: ResourceId) -> Result<Option<SeenRepository>> {
    t.opt(ONE_FOR, &[&id.to_string()]).await
}

const IDS: &str = "SELECT id FROM repository ORDER BY id";

/// The ids of all repositories of all workspaces; for recovery at start.
pub async fn ids(t: &Tx<'_>) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = t.all(IDS, &[]).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

const READY: &str = "UPDATE repository SET ready_at = $2, default_branch = $3, protected_branches = $4 \
    WHERE id = $1 AND ready_at IS NULL RETURNING id";

/// Marks the folder as complete, once.
pub async fn save_ready(
    t: &Tx<'_>,
    id: ResourceId,
    at: Timestamp,
    default_branch: &str,
    protected_branches: &str,
) -> Result<Saved> {
    let key = id.to_string();
    let done: Option<(String,)> =
        t.opt(READY, &[&key, &at.millis(), &default_branch, &protected_branches]).await?;
    Saved::sort(t, done.map(|_| ()), "SELECT id FROM repository WHERE id = $1", &[&key]).await
}

const GITNEST: &str = "UPDATE repository SET gitnest_on_at = $2 WHERE id = $1 RETURNING id";

/// Switches GitNest on (since `at`) or off.
pub async fn save_gitnest(t: &Tx<'_>, id: ResourceId, on_at: Option<Timestamp>) -> Result<Saved> {
    let key = id.to_string();
    let done: Option<(String,)> = t.opt(GITNEST, &[&key, &on_at.map(Timestamp::millis)]).await?;
    Saved::sort(t, done.map(|_| ()), "SELECT id FROM repository WHERE id = $1", &[&key]).await
}

/// What an owner of a repository rules. Lists are JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The branch that HEAD names.
    pub default_branch: String,
    /// Protected branches.
    pub protected_branches: String,
    /// Protected paths beside the built-in ones.
    pub protected_paths: String,
    /// Since when another person than the connection owner must decide.
    pub other_decider: Option<i64>,
}

impl Repository {
    /// The rules of this row.
    pub fn rules(&self) -> Rules {
        Rules {
            default_branch: self.default_branch.clone(),
            protected_branches: self.protected_branches.clone(),
            protected_paths: self.protected_paths.clone(),
            other_decider: self.other_decider,
        }
    }
}

const RULES: &str = "UPDATE repository SET default_branch = $2, protected_branches = $3, protected_paths = $4, \
    other_decider = $5 WHERE id = $1 AND default_branch = $6 AND protected_branches = $7 AND protected_paths = $8 \
    AND COALESCE(other_decider, 0) = $9 RETURNING id";

/// Replaces the rules that were seen.
pub async fn save_rules(t: &Tx<'_>, id: ResourceId, seen: &Rules, new: &Rules) -> Result<Saved> {
    let (key, since) = (id.to_string(), seen.other_decider.unwrap_or(0));
    let done: Option<(String,)> = t
        .opt(
            RULES,
            &[
                &key,
                &new.default_branch,
                &new.protected_branches,
                &new.protected_paths,
                &new.other_decider,
                &seen.default_branch,
                &seen.protected_branches,
                &seen.protected_paths,
                &since,
            ],
        )
        .await?;
    Saved::sort(t, done.map(|_| ()), "SELECT id FROM repository WHERE id = $1", &[&key]).await
}

const FIND_IN: &str = "SELECT {cols} FROM repository WHERE workspace_id = $1 AND name_key = $2";

/// The repository of this folded name in a workspace, finished or not.
pub async fn find_in(t: &Tx<'_>, workspace: WorkspaceId, name_key: &str) -> Result<Option<Repository>> {
    t.opt(FIND_IN, &[&workspace.to_string(), &name_key]).await
}
