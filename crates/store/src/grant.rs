//! What a connection was granted: projects, single resources, and what is in a project.

use countersign_core::id::{ConnectionId, ProjectId, UserId};

use crate::{Result, Tx};

const PROJECTS: &str = "SELECT p.id, p.name, wm.role, pm.role FROM connection_project cp \
    JOIN project p ON p.id = cp.project_id \
    JOIN connection c ON c.id = cp.connection_id \
    LEFT JOIN workspace_member wm ON wm.workspace_id = p.workspace_id AND wm.user_id = c.user_id \
    LEFT JOIN project_member pm ON pm.project_id = p.id AND pm.user_id = c.user_id \
    WHERE cp.connection_id = $1 AND p.workspace_id = c.workspace_id ORDER BY p.name, p.id";

/// A project on a connection: id, name, the owner's word for their place in the workspace and in the project.
pub type GrantedProject = (String, String, Option<String>, Option<String>);

/// The projects on a connection, by name.
pub async fn projects(t: &Tx<'_>, connection: ConnectionId) -> Result<Vec<GrantedProject>> {
    t.all(PROJECTS, &[&connection.to_string()]).await
}

const SINGLES: &str = "SELECT r.kind, r.id, r.name, r.project_id FROM connection_resource cr \
    JOIN resource r ON r.id = cr.resource_id \
    JOIN connection c ON c.id = cr.connection_id AND c.workspace_id = r.workspace_id \
    LEFT JOIN repository g ON g.id = r.id \
    WHERE cr.connection_id = $1 AND (r.kind <> 'gitnest_repository' OR g.gitnest_on_at IS NOT NULL) \
    ORDER BY r.kind, r.name, r.id";

/// The resources granted singly: kind, id, name, project.
pub async fn singles(t: &Tx<'_>, connection: ConnectionId) -> Result<Vec<(String, String, String, String)>> {
    t.all(SINGLES, &[&connection.to_string()]).await
}

const IN_PROJECT: &str = "SELECT r.id, r.name, r.updated_at FROM resource r \
    LEFT JOIN repository g ON g.id = r.id \
    WHERE r.project_id = $1 AND r.kind = $2 \
    AND (r.kind <> 'gitnest_repository' OR (g.gitnest_on_at IS NOT NULL AND g.ready_at IS NOT NULL)) \
    ORDER BY r.name, r.id";

/// Everything of one kind in a project that agents may see: id, name, last change.
pub async fn in_project(t: &Tx<'_>, project: ProjectId, kind: &str) -> Result<Vec<(String, String, i64)>> {
    t.all(IN_PROJECT, &[&project.to_string(), &kind]).await
}

const OWNER: &str =
    "SELECT c.user_id, c.name, p.name FROM connection c JOIN person p ON p.id = c.user_id WHERE c.id = $1";

/// The owner of a connection, its display name, and the owner's name.
pub async fn owner(t: &Tx<'_>, connection: ConnectionId) -> Result<Option<(String, String, String)>> {
    t.opt(OWNER, &[&connection.to_string()]).await
}

const PERSON: &str = "SELECT name, mail FROM person WHERE id = $1";

/// A person's name and mail address.
pub async fn person(t: &Tx<'_>, id: UserId) -> Result<Option<(String, String)>> {
    t.opt(PERSON, &[&id.to_string()]).await
}
