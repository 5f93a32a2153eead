//! Members as people see them.

use countersign_core::id::{ProjectId, UserId};
use countersign_core::role::MemberRole;

/// One member of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberView {
    /// The project.
    pub project: ProjectId,
    /// The person.
    pub user: UserId,
    /// Their name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
    /// Their role in the project.
    pub role: MemberRole,
}
