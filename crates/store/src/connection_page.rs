//! What the pages about connections read: lists, projects, activity.

use countersign_core::id::{ConnectionId, UserId, WorkspaceId};

use crate::connection::Connection;
use crate::{ByTime, FromRow, Result, Row, Tx};

/// A connection in a list, with what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The connection.
    pub connection: Connection,
    /// The name of its person.
    pub owner: String,
    /// How many of its proposals wait for a person.
    pub waiting: i64,
}

impl FromRow for Listed {
    const COLS: &'static str = "c.id, c.workspace_id, c.user_id, c.kind, c.name, c.status, c.client_id, \
        c.client_name, c.scopes, c.switched_off, c.created_at, c.activated_at, c.used_at, c.revoked_at, c.version, \
        p.name, (SELECT CAST(COUNT(*) AS BIGINT) FROM proposal w \
          WHERE w.connection_id = c.id AND w.status IN ('pending', 'failed'))";
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        Ok(Self { connection: Connection::from_row(row)?, owner: row.take()?, waiting: row.take()? })
    }
}

/// Whose connections are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// One person's.
    Of(UserId),
    /// Everybody's.
    Everybodys,
}

const LIST: &str = "SELECT {cols} FROM connection c JOIN person p ON p.id = c.user_id \
    WHERE c.workspace_id = $1 AND ($2 = '' OR c.user_id = $2) AND (c.created_at, c.id) < ($3, $4) \
    ORDER BY c.created_at DESC, c.id DESC LIMIT $5";

/// At most `limit` of the connections of a workspace, the latest on top, behind one of them.
pub async fn list(
    t: &Tx<'_>,
    workspace: WorkspaceId,
    whose: Whose,
    behind: ByTime,
    limit: i64,
) -> Result<Vec<Listed>> {
    let user = match whose {
        Whose::Of(user) => user.to_string(),
        Whose::Everybodys => String::new(),
    };
    t.all(LIST, &[&workspace.to_string(), &user, &behind.at, &behind.id, &limit]).await
}

const GET: &str = "SELECT {cols} FROM connection c JOIN person p ON p.id = c.user_id WHERE c.id = $1 AND c.workspace_id = $2";

/// One connection as lists show it.
pub async fn find(t: &Tx<'_>, id: ConnectionId, workspace: WorkspaceId) -> Result<Option<Listed>> {
    t.opt(GET, &[&id.to_string(), &workspace.to_string()]).await
}

const NAMES: &str = "SELECT cp.connection_id, pr.name FROM connection_project cp \
    JOIN connection c ON c.id = cp.connection_id JOIN project pr ON pr.id = cp.project_id \
    WHERE c.workspace_id = $1 ORDER BY pr.name, pr.id LIMIT 2000";

/// The names of the projects on the connections of a workspace: connection and name.
pub async fn project_names(t: &Tx<'_>, workspace: WorkspaceId) -> Result<Vec<(String, String)>> {
    t.all(NAMES, &[&workspace.to_string()]).await
}

/// A project on a connection: id, name, the owner's place in the workspace, their role in it, its repositories.
pub type OnConnection = (String, String, Option<String>, Option<String>, i64);

const PROJECTS: &str = "SELECT pr.id, pr.name, wm.role, pm.role, (SELECT CAST(COUNT(*) AS BIGINT) FROM resource r \
      WHERE r.project_id = pr.id AND r.kind = 'gitnest_repository') \
    FROM connection_project cp JOIN connection c ON c.id = cp.connection_id \
    JOIN project pr ON pr.id = cp.project_id \
    LEFT JOIN workspace_member wm ON wm.workspace_id = c.workspace_id AND wm.user_id = c.user_id \
    LEFT JOIN project_member pm ON pm.project_id = pr.id AND pm.user_id = c.user_id \
    WHERE cp.connection_id = $1 ORDER BY pr.name, pr.id";

/// The projects on a connection, by name, with the role of its person.
pub async fn projects(t: &Tx<'_>, id: ConnectionId) -> Result<Vec<OnConnection>> {
    t.all(PROJECTS, &[&id.to_string()]).await
}

const ADDABLE: &str = "SELECT pr.id, pr.name FROM connection c \
    JOIN workspace_member wm ON wm.workspace_id = c.workspace_id AND wm.user_id = c.user_id \
    JOIN project pr ON pr.workspace_id = c.workspace_id \
    LEFT JOIN project_member pm ON pm.project_id = pr.id AND pm.user_id = c.user_id \
    LEFT JOIN connection_project cp ON cp.connection_id = c.id AND cp.project_id = pr.id \
    WHERE c.id = $1 AND cp.project_id IS NULL AND (wm.role = 'owner' OR pm.role IS NOT NULL) \
    ORDER BY pr.name, pr.id LIMIT 500";

/// The projects that its person could add: those where they have a role.
pub async fn addable(t: &Tx<'_>, id: ConnectionId) -> Result<Vec<(String, String)>> {
    t.all(ADDABLE, &[&id.to_string()]).await
}

/// A call of a connection: when, what, the resource's name, outcome, code.
pub type Activity = (i64, String, Option<String>, String, Option<String>);

const ACTIVITY: &str = "SELECT a.at, a.action, r.name, a.outcome, a.code FROM audit a \
    LEFT JOIN resource r ON r.id = a.resource_id WHERE a.connection_id = $1 ORDER BY a.at DESC, a.id DESC LIMIT $2";

/// The latest calls of a connection, the newest first.
pub async fn activity(t: &Tx<'_>, id: ConnectionId, limit: i64) -> Result<Vec<Activity>> {
    t.all(ACTIVITY, &[&id.to_string(), &limit]).await
}
