//! Projects and their members over the REST API.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{ProjectId, UserId};
use crate::limit;
use crate::role::MemberRole;

/// `POST /api/v1/projects`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeProject {
    /// Its name.
    #[schemars(length(min = 1, max = limit::NAME))]
    pub name: String,
}

/// A project: the answer to that, and one item of `GET /api/v1/projects`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectItem {
    /// The project.
    pub id: ProjectId,
    /// Its name.
    pub name: String,
    /// The role of the token's person in it.
    pub role: Option<MemberRole>,
}

/// `POST /api/v1/projects/{id}/members`. A person who is new here needs a name and a password.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddMember {
    /// The mail address.
    #[schemars(length(min = 3, max = limit::MAIL))]
    pub mail: String,
    /// The name of a new person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = limit::NAME))]
    pub name: Option<String>,
    /// The first password of a new person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = limit::PASSWORD_LEAST, max = limit::PASSWORD))]
    pub password: Option<String>,
    /// The role in the project.
    pub role: MemberRole,
}

impl std::fmt::Debug for AddMember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AddMember")
            .field("mail", &self.mail)
            .field("role", &self.role)
            .finish_non_exhaustive()
    }
}

/// `PATCH /api/v1/projects/{id}/members/{user}`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeMember {
    /// The new role.
    pub role: MemberRole,
}

/// `POST /api/v1/projects/{id}/members/{user}/password`: for a person who lost theirs.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetPassword {
    /// The new password.
    #[schemars(length(min = limit::PASSWORD_LEAST, max = limit::PASSWORD))]
    pub password: String,
}

impl std::fmt::Debug for SetPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SetPassword").finish_non_exhaustive()
    }
}

/// A member: the answer to an addition and a change, and one item of `GET /api/v1/projects/{id}/members`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemberItem {
    /// The person.
    pub user_id: UserId,
    /// Their name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
    /// Their role in the project.
    pub role: MemberRole,
}
