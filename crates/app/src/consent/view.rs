//! The consent page: who asks, where the answer goes, what may be granted.

use countersign_core::id::{ConnectionId, WorkspaceId};
use countersign_core::scope::Scope;

use crate::connection::view::AssistantKind;

/// Where the answer goes, in the words that a person can judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnsTo {
    /// A web site, by its host.
    Site(String),
    /// A program on the person's own machine that listens on loopback.
    Loopback(String),
    /// An application that claims a scheme of its own.
    Application(String),
}

/// How far the client's name can be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// It is known by a document that lies on this host, which a certificate proved.
    Domain(String),
    /// It told its name itself.
    SelfNamed,
}

/// What the page asks.
#[derive(Clone, Debug)]
pub struct ConsentView {
    /// The single-use handle of the stored request.
    pub handle: String,
    /// The name that the client gave itself, cleaned.
    pub client: String,
    /// How far it can be believed.
    pub identity: Identity,
    /// Where the answer goes.
    pub returns_to: ReturnsTo,
    /// The workspaces that the person may choose; one is chosen.
    pub workspaces: Vec<WorkspaceChoice>,
    /// What was asked for.
    pub scopes: Vec<Scope>,
    /// Connections made beforehand that wait for a client.
    pub pending: Vec<PendingChoice>,
    /// Whether the password is asked for: the sudo window is closed.
    pub asks_password: bool,
}

/// A workspace that can be chosen.
#[derive(Clone, Debug)]
pub struct WorkspaceChoice {
    /// The workspace.
    pub id: WorkspaceId,
    /// Its name.
    pub name: String,
}

/// A pending connection that can be used.
#[derive(Clone, Debug)]
pub struct PendingChoice {
    /// The connection.
    pub id: ConnectionId,
    /// Its display name.
    pub name: String,
    /// Which assistant it was made for.
    pub kind: AssistantKind,
}
