//! Projects as people see them.

use countersign_core::id::ProjectId;
use countersign_core::role::MemberRole;
use countersign_core::time::Timestamp;

/// One project that a person sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectView {
    /// The project.
    pub id: ProjectId,
    /// Its name.
    pub name: String,
    /// What the person may do in it.
    pub role: MemberRole,
    /// Since when it is.
    pub created_at: Timestamp,
}

/// A page of them, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectList {
    /// The projects.
    pub projects: Vec<ProjectView>,
    /// Where the next page begins, if there is one.
    pub next_offset: Option<i64>,
}
