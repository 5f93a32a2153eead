//! What owners, and the invited, see of an invitation.

use countersign_core::id::{InvitationId, ProjectId, UserId};
use countersign_core::role::{MemberRole, WorkspaceRole};
use countersign_core::time::Timestamp;

/// An open invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationView {
    /// Its id.
    pub id: InvitationId,
    /// Whom it is for.
    pub mail: String,
    /// The place in the workspace that it gives.
    pub role: WorkspaceRole,
    /// The project that it brings into, and the role there.
    pub project: Option<(ProjectId, MemberRole)>,
    /// Who made it.
    pub invited_by: UserId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// An invitation as the person sees it who holds its link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The name of the workspace.
    pub workspace: String,
    /// Who invites.
    pub inviter: String,
    /// Whom it is for.
    pub mail: String,
    /// The place in the workspace.
    pub role: WorkspaceRole,
    /// The name of the project, and the role there.
    pub project: Option<(String, MemberRole)>,
}
