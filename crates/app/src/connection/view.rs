//! Connections as their person sees them: the list, one page, its activity.

pub use countersign_core::connection::{AssistantKind, ConnectionState};
use countersign_core::id::{ConnectionId, ProjectId};
use countersign_core::role::MemberRole;
use countersign_core::scope::{Scope, Scopes};
use countersign_core::time::Timestamp;

use crate::gate::Effect;

/// The page of all connections that a person may see.
#[derive(Clone, Debug)]
pub struct ConnectedView {
    /// The address that an assistant is given.
    pub server_address: String,
    /// Their own and, for an owner of the workspace, everyone's; the latest on top.
    pub connections: Vec<ConnectionRow>,
}

/// One line of that page.
#[derive(Clone, Debug)]
pub struct ConnectionRow {
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

/// One connection with everything that its person manages.
#[derive(Clone, Debug)]
pub struct ConnectionView {
    /// The address that an assistant is given.
    pub server_address: String,
    /// The line of the list.
    pub row: ConnectionRow,
    /// What it may do.
    pub scopes: Scopes,
    /// The projects on it.
    pub projects: Vec<GrantedProject>,
    /// Projects that this viewer may add.
    pub addable: Vec<AddableProject>,
    /// What it may call, and what that costs.
    pub toolbox: ToolboxView,
    /// The latest calls, the newest on top; a bounded number.
    pub activity: Vec<ActivityRow>,
    /// Whether this viewer adds and removes projects and switches tools: its own person alone.
    pub may_manage: bool,
    /// Whether this viewer may revoke it: its own person or an owner of the workspace.
    pub may_revoke: bool,
    /// When and why it ended, once it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// The tools of a connection.
#[derive(Clone, Debug)]
pub struct ToolboxView {
    /// Every tool of the server, in the order in which it is listed.
    pub tools: Vec<ToolRow>,
    /// What the tools that are on cost a model, in tokens of `cl100k_base`.
    pub tokens: u32,
    /// The SHA-256 of the list that the connection is sent, in hex.
    pub hash: String,
}

/// One tool of a connection.
#[derive(Clone, Debug)]
pub struct ToolRow {
    /// Its name.
    pub name: String,
    /// One sentence.
    pub description: String,
    /// The scope that it needs.
    pub scope: Scope,
    /// What a call can do.
    pub effect: Effect,
    /// What it costs a model; nothing for a tool of tests.
    pub tokens: Option<u32>,
    /// Whether it is on.
    pub is_on: bool,
}

/// A project on a connection.
#[derive(Clone, Debug)]
pub struct GrantedProject {
    /// The project.
    pub id: ProjectId,
    /// Its name.
    pub name: String,
    /// The role of the connection's person there, which bounds the connection; nothing once they lost it.
    pub role: Option<MemberRole>,
    /// How many repositories it opens.
    pub repositories: usize,
}

/// A project that could be added.
#[derive(Clone, Debug)]
pub struct AddableProject {
    /// The project.
    pub id: ProjectId,
    /// Its name.
    pub name: String,
}

/// One call in the recent activity.
#[derive(Clone, Debug)]
pub struct ActivityRow {
    /// When.
    pub at: Timestamp,
    /// The tool, or the action that it was.
    pub tool: String,
    /// The name of the resource that it touched.
    pub resource: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// The code of a refusal.
    pub code: Option<String>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what was asked.
    Done,
    /// It was refused.
    Refused,
    /// The client hung up before its end.
    Cancelled,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 3] = [Self::Done, Self::Refused, Self::Cancelled];

    /// The word in the audit log.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
        }
    }

    /// Reads the word in the audit log.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == text)
    }
}
