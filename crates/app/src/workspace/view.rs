//! The people of a workspace, as its owners see them.

use countersign_core::id::UserId;
use countersign_core::role::WorkspaceRole;
use countersign_core::time::Timestamp;

/// Somebody in the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonView {
    /// The person.
    pub user: UserId,
    /// Their name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
    /// Their place in the workspace.
    pub role: WorkspaceRole,
    /// Since when they are in it.
    pub since: Timestamp,
    /// Since when they cannot sign in.
    pub disabled_at: Option<Timestamp>,
}
