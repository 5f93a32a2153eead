//! Repositories over the REST API.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{ProjectId, ResourceId, UserId};
use crate::limit;
use crate::net::https_url::LONGEST;
use crate::role::MemberRole;

/// `POST /api/v1/repositories`: one with a first README, or empty.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeRepository {
    /// Its name.
    #[schemars(length(min = 1, max = limit::REPOSITORY_NAME), pattern(limit::REPOSITORY_NAME_PATTERN))]
    pub name: String,
    /// The project that it goes to.
    pub project_id: ProjectId,
    /// Whether it begins without a commit, for a first push to bring what is there already.
    #[serde(default)]
    pub empty: bool,
}

/// `POST /api/v1/repositories/import`: from a folder on the server's machine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRepository {
    /// An absolute path on the server's machine.
    #[schemars(length(min = 1, max = 4096), pattern("^/"))]
    pub folder: String,
    /// Its name.
    #[schemars(length(min = 1, max = limit::REPOSITORY_NAME), pattern(limit::REPOSITORY_NAME_PATTERN))]
    pub name: String,
    /// The project that it goes to.
    pub project_id: ProjectId,
}

/// `POST /api/v1/repositories/import-url`: from another server, over https.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportFromUrl {
    /// The address that `git clone` takes; https, on the public internet, without user and password.
    #[schemars(length(min = 1, max = LONGEST))]
    pub url: String,
    /// Its name here.
    #[schemars(length(min = 1, max = limit::REPOSITORY_NAME), pattern(limit::REPOSITORY_NAME_PATTERN))]
    pub name: String,
    /// The project that it goes to.
    pub project_id: ProjectId,
}

/// How an import stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportStep {
    /// It has not begun.
    Waiting,
    /// Objects are coming.
    Receiving,
    /// Objects are put together.
    Resolving,
    /// Everything is there and is being checked.
    Checking,
    /// It failed, for the `reason`; the same request begins it again.
    Failed,
    /// The repository is ready.
    Done,
}

/// `GET /api/v1/repositories/{id}/import`, and the answer to the request that begins it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportItem {
    /// The repository to be.
    pub id: ResourceId,
    /// Its name.
    pub name: String,
    /// The project that it comes into.
    pub project_id: ProjectId,
    /// Where from; empty once it is done.
    pub url: String,
    /// How it stands.
    pub step: ImportStep,
    /// Percent of the objects of this step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
    /// Bytes so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// `PATCH /api/v1/repositories/{id}`: what is named changes.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeRepository {
    /// The project that it moves to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<ProjectId>,
    /// Whether agents see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gitnest: Option<bool>,
    /// The branch that a clone checks out; it exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = limit::BRANCH))]
    pub default_branch: Option<String>,
    /// The branches that take a maintainer: the whole list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::RULES), inner(length(min = 1, max = limit::BRANCH)))]
    pub protected_branches: Option<Vec<String>>,
    /// The paths that take a maintainer beside those that always do: the whole list. A folder ends with `/`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::RULES), inner(length(min = 1, max = limit::PROTECTED_PATH)))]
    pub protected_paths: Option<Vec<String>>,
    /// Whether another person than the agent's own must decide its proposals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_decider: Option<bool>,
}

/// `GET /api/v1/repositories/{id}/settings`, and the answer to a change of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RepositorySettings {
    /// The repository.
    #[serde(flatten)]
    pub repository: RepositoryItem,
    /// The branches that take a maintainer.
    pub protected_branches: Vec<String>,
    /// The paths that take a maintainer beside those that always do.
    pub protected_paths: Vec<String>,
    /// Whether another person than the agent's own must decide its proposals.
    pub other_decider: bool,
}

/// `PATCH /api/v1/repositories/{id}/members/{user}`: a role of one's own on this repository, or none, so that the role
/// in the project counts again.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeRepositoryMember {
    /// The role here; `null` takes it away.
    pub role: Option<MemberRole>,
}

/// One item of `GET /api/v1/repositories/{id}/members`, and the answer to a change of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RepositoryMemberItem {
    /// The person.
    pub user_id: UserId,
    /// Their name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
    /// Their role in the project that the repository is in.
    pub project_role: Option<MemberRole>,
    /// Their role on this repository alone, which counts instead.
    pub repository_role: Option<MemberRole>,
    /// What counts: an owner of the workspace is owner everywhere.
    pub role: MemberRole,
}

/// A repository: the answer to each, and one item of `GET /api/v1/repositories`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
