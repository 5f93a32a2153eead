//! What every page of a signed-in person needs around it.

use countersign_core::id::{UserId, WorkspaceId};
use countersign_core::role::WorkspaceRole;
use countersign_core::time::Timestamp;

/// The person who looks, in the workspace they look at.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// The person.
    pub user: UserId,
    /// Their name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Its name.
    pub workspace_name: String,
    /// Their place in it.
    pub role: WorkspaceRole,
    /// The token that every unsafe form of this session repeats.
    pub csrf: String,
    /// When they last proved who they are; the sudo window counts from here.
    pub proved_at: Timestamp,
}

/// A session that is alive, as its person sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenSession {
    /// Whether it is the one that looks.
    pub which: Which,
    /// When it began under its present token.
    pub since: Timestamp,
    /// When it was last used, to the minute.
    pub used_at: Timestamp,
}

/// Which session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one of this browser.
    This,
    /// One elsewhere.
    Other,
}
