//! Repositories over the REST API.

use serde::{Deserialize, Serialize};

use crate::id::{ProjectId, ResourceId};

/// `POST /api/v1/repositories`: one with a first README.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MakeRepository {
    /// Its name.
    pub name: String,
    /// The project that it goes to.
    pub project_id: ProjectId,
}

/// `POST /api/v1/repositories/import`: from a folder on the server's machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportRepository {
    /// An absolute path on the server's machine.
    pub folder: String,
    /// Its name.
    pub name: String,
    /// The project that it goes to.
    pub project_id: ProjectId,
}

/// `PATCH /api/v1/repositories/{id}`: what is named changes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeRepository {
    /// The project that it moves to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    /// Whether agents see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gitnest: Option<bool>,
}

/// A repository: the answer to each, and one item of `GET /api/v1/repositories`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryItem {
    /// The repository.
    pub id: ResourceId,
    /// Its name.
    pub name: String,
    /// The project that it is in.
    pub project_id: ProjectId,
    /// Whether agents see it.
    pub gitnest: bool,
    /// The branch that a clone checks out.
    pub default_branch: String,
    /// The address to clone from.
    pub clone_url: String,
}
