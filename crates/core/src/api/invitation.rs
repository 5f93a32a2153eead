//! Invitations: who may make an account, by a link that works once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{InvitationId, ProjectId, UserId};
use crate::limit;
use crate::role::{MemberRole, WorkspaceRole};
use crate::time::Timestamp;

/// `POST /api/v1/invitations`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeInvitation {
    /// The mail address of whom to invite; one that has no account here.
    #[schemars(length(min = 1, max = limit::MAIL))]
    pub mail: String,
    /// Their place in the workspace.
    pub role: WorkspaceRole,
    /// A project to bring them into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<InvitedTo>,
}

/// A project, and the role that somebody is invited to there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitedTo {
    /// The project.
    pub id: ProjectId,
    /// The role in it.
    pub role: MemberRole,
}

/// The answer: the one time that the link is shown.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub struct MadeInvitation {
    /// The invitation.
    #[serde(flatten)]
    pub item: InvitationItem,
    /// The link to send; it works once, until it ends.
    pub link: String,
}

impl std::fmt::Debug for MadeInvitation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MadeInvitation").field("item", &self.item).finish_non_exhaustive()
    }
}

/// One item of `GET /api/v1/invitations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InvitationItem {
    /// The invitation.
    pub id: InvitationId,
    /// Whom it is for.
    pub mail: String,
    /// The place in the workspace that it gives.
    pub role: WorkspaceRole,
    /// The project that it brings into.
    pub project: Option<InvitedTo>,
    /// Who made it.
    pub invited_by: UserId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}
