//! Connections of assistants over the REST API: `/api/v1/connections`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::connection::{AssistantKind, ConnectionState};
use crate::id::{ConnectionId, ProjectId};
use crate::limit;
use crate::role::MemberRole;
use crate::time::Timestamp;

/// `POST /api/v1/connections`: one that waits for a client, without projects.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeConnection {
    /// Which assistant it is for.
    pub kind: AssistantKind,
    /// Its display name.
    #[schemars(length(min = 1, max = limit::NAME))]
    pub name: String,
}

/// One item of `GET /api/v1/connections`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConnectionItem {
    /// The connection.
    pub id: ConnectionId,
    /// Its display name.
    pub name: String,
    /// Which assistant it is for.
    pub kind: AssistantKind,
    /// Where it stands.
    pub state: ConnectionState,
    /// The name that the approved client gave itself.
    pub client: Option<String>,
    /// The name of its person.
    pub owner: String,
    /// The names of its projects.
    pub projects: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last called.
    pub used_at: Option<Timestamp>,
    /// How many of its proposals wait.
    pub waiting: usize,
}

/// `GET /api/v1/connections/{id}`: all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConnectionFacts {
    /// What the list says of it.
    #[serde(flatten)]
    pub item: ConnectionItem,
    /// The address that an assistant is given.
    pub server_address: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// The projects on it.
    pub grants: Vec<ConnectionProject>,
    /// Every tool of the server, and whether it is on.
    pub tools: Vec<ConnectionTool>,
    /// The latest calls, at most fifty, the newest first.
    pub activity: Vec<ConnectionCall>,
    /// Whether the token's person adds projects and switches tools: its own person alone.
    pub may_manage: bool,
    /// Whether they may revoke it.
    pub may_revoke: bool,
    /// When it ended.
    pub revoked_at: Option<Timestamp>,
}

/// A project on a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConnectionProject {
    /// The project.
    pub id: ProjectId,
    /// Its name.
    pub name: String,
    /// The role of the connection's person there, which bounds the connection; none once they lost it.
    pub role: Option<MemberRole>,
    /// How many repositories it opens.
    pub repositories: usize,
}

/// A tool of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConnectionTool {
    /// Its name.
    pub name: String,
    /// One sentence.
    pub description: String,
    /// The scope that it needs.
    pub scope: String,
    /// Whether it is on.
    pub on: bool,
}

/// A call of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConnectionCall {
    /// When.
    pub at: Timestamp,
    /// The tool, or the action that it was.
    pub tool: String,
    /// The name of the resource that it touched.
    pub resource: Option<String>,
    /// `done`, `refused` or `cancelled`.
    pub outcome: String,
    /// The code of a refusal.
    pub code: Option<String>,
}

/// The answer to a revoke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RevokedConnection {
    /// The connection.
    pub id: ConnectionId,
    /// How many waiting proposals ended with it.
    pub withdrawn: usize,
    /// Whether it was revoked before this call.
    pub replayed: bool,
}
