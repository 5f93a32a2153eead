//! What the gate reads: one row with the resource, its project now, the person's roles and the grant.

use countersign_core::id::{ConnectionId, ProjectId, ResourceId, UserId, WorkspaceId};
use countersign_core::role::{MemberRole, WorkspaceRole};

use crate::{Error, FromRow, Result, Row, Tx};

/// Who asks: the person behind the call and, when an agent calls, the connection.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    /// The person, or the connection owner.
    pub person: UserId,
    /// The connection.
    pub connection: Option<ConnectionId>,
    /// The tenant of the credential.
    pub workspace: WorkspaceId,
}

/// What stands in the store at this moment about one asker and one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The resource, when it is one.
    pub resource: Option<ResourceId>,
    /// The project that it is in now.
    pub project: Option<ProjectId>,
    /// Its name.
    pub name: String,
    /// The person's place in the workspace.
    pub workspace_role: Option<WorkspaceRole>,
    /// The person's role in the project.
    pub project_role: Option<MemberRole>,
    /// The repository's override for the person.
    pub repository_role: Option<MemberRole>,
    /// Whether the connection was granted it: by its project or singly, and (for a repository) GitNest is on.
    pub granted: bool,
}

struct Line {
    resource: Option<String>,
    project: Option<String>,
    name: String,
    workspace_role: Option<String>,
    project_role: Option<String>,
    repository_role: Option<String>,
    granted: i64,
}

impl FromRow for Line {
    const COLS: &'static str = "";
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        Ok(Self {
            resource: row.take()?,
            project: row.take()?,
            name: row.take()?,
            workspace_role: row.take()?,
            project_role: row.take()?,
            repository_role: row.take()?,
            granted: row.take()?,
        })
    }
}

const ON_RESOURCE: &str = "SELECT r.id, r.project_id, r.name, wm.role, pm.role, rm.role, \
    CASE WHEN (cp.connection_id IS NOT NULL OR cr.connection_id IS NOT NULL) \
      AND (r.kind <> 'gitnest_repository' OR g.gitnest_on_at IS NOT NULL) \
      THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END \
    FROM resource r \
    LEFT JOIN workspace_member wm ON wm.workspace_id = r.workspace_id AND wm.user_id = $1 \
    LEFT JOIN project_member pm ON pm.project_id = r.project_id AND pm.user_id = $1 \
    LEFT JOIN repository_member rm ON rm.repository_id = r.id AND rm.user_id = $1 \
    LEFT JOIN repository g ON g.id = r.id \
    LEFT JOIN connection_project cp ON cp.connection_id = $2 AND cp.project_id = r.project_id \
    LEFT JOIN connection_resource cr ON cr.connection_id = $2 AND cr.resource_id = r.id \
    WHERE r.id = $3 AND r.workspace_id = $4";

/// The asker's standing on a resource; `None` when it is not in the asker's workspace.
pub async fn on_resource(t: &Tx<'_>, asker: Asker, id: ResourceId) -> Result<Option<Access>> {
    read(t, ON_RESOURCE, asker, Some(id.to_string())).await
}

const ON_PROJECT: &str = "SELECT CAST(NULL AS TEXT), p.id, p.name, wm.role, pm.role, CAST(NULL AS TEXT), \
    CASE WHEN cp.connection_id IS NOT NULL THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END \
    FROM project p \
    LEFT JOIN workspace_member wm ON wm.workspace_id = p.workspace_id AND wm.user_id = $1 \
    LEFT JOIN project_member pm ON pm.project_id = p.id AND pm.user_id = $1 \
    LEFT JOIN connection_project cp ON cp.connection_id = $2 AND cp.project_id = p.id \
    WHERE p.id = $3 AND p.workspace_id = $4";

/// The asker's standing in a project; `None` when it is not in the asker's workspace.
pub async fn on_project(t: &Tx<'_>, asker: Asker, id: ProjectId) -> Result<Option<Access>> {
    read(t, ON_PROJECT, asker, Some(id.to_string())).await
}

const ON_WORKSPACE: &str = "SELECT CAST(NULL AS TEXT), CAST(NULL AS TEXT), w.name, wm.role, CAST(NULL AS TEXT), \
    CAST(NULL AS TEXT), CASE WHEN CAST($2 AS TEXT) IS NULL THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END \
    FROM workspace w \
    LEFT JOIN workspace_member wm ON wm.workspace_id = w.id AND wm.user_id = $1 \
    WHERE CAST($3 AS TEXT) IS NULL AND w.id = $4";

/// The asker's standing in the workspace itself.
pub async fn on_workspace(t: &Tx<'_>, asker: Asker) -> Result<Option<Access>> {
    read(t, ON_WORKSPACE, asker, None).await
}

async fn read(t: &Tx<'_>, sql: &str, asker: Asker, thing: Option<String>) -> Result<Option<Access>> {
    let person = asker.person.to_string();
    let connection = asker.connection.map(|id| id.to_string());
    let workspace = asker.workspace.to_string();
    let line: Option<Line> = t.opt(sql, &[&person, &connection, &thing, &workspace]).await?;
    line.map(Access::read).transpose()
}

impl Access {
    fn read(line: Line) -> Result<Self> {
        let bad = |what: &str| Error::Sql(format!("{what} in the store is not one of ours"));
        let role = |text: Option<String>| -> Result<Option<MemberRole>> {
            text.map(|word| MemberRole::parse(&word).ok_or_else(|| bad("a role"))).transpose()
        };
        Ok(Self {
            resource: line.resource.map(|id| ResourceId::parse(&id).map_err(|_| bad("an id"))).transpose()?,
            project: line.project.map(|id| ProjectId::parse(&id).map_err(|_| bad("an id"))).transpose()?,
            name: line.name,
            workspace_role: line
                .workspace_role
                .map(|word| WorkspaceRole::parse(&word).ok_or_else(|| bad("a workspace role")))
                .transpose()?,
            project_role: role(line.project_role)?,
            repository_role: role(line.repository_role)?,
            granted: line.granted != 0,
        })
    }
}
