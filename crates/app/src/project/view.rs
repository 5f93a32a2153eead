//! Projects as people see them.

use countersign_core::id::ProjectId;
use countersign_core::role::MemberRole;
use countersign_core::time::Timestamp;

use crate::connection::view::ConnectionRow;
use crate::member::view::MemberView;
use crate::repository::RepositoryLine;

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

/// One project, whole.
#[derive(Clone, Debug)]
pub struct ProjectPage {
    /// The project.
    pub project: ProjectView,
    /// The repositories in it that the person may read.
    pub repositories: Vec<RepositoryLine>,
    /// Its members.
    pub members: Vec<MemberView>,
    /// The connections that have it, as far as the person may see them.
    pub connections: Vec<ConnectionRow>,
}
