//! Who the token's person is, and who else is in the workspace: `/api/v1/me` and `/api/v1/people`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{UserId, WorkspaceId};
use crate::role::WorkspaceRole;
use crate::time::Timestamp;

/// The person behind the token, in their workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Me {
    /// The person.
    pub id: UserId,
    /// Their name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
    /// The workspace.
    pub workspace: MyWorkspace,
    /// What the token may do.
    pub scopes: Vec<String>,
}

/// The workspace, and the person's place in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MyWorkspace {
    /// The workspace.
    pub id: WorkspaceId,
    /// Its name.
    pub name: String,
    /// The part of an address that names it.
    pub slug: String,
    /// The place.
    pub role: WorkspaceRole,
}

/// One item of `GET /api/v1/people`, and the answer to a change of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonItem {
    /// The person.
    pub user_id: UserId,
    /// Their name.
    pub name: String,
    /// Their mail address.
    pub mail: String,
    /// Their place in the workspace.
    pub role: WorkspaceRole,
    /// Since when they are in it.
    pub since: Timestamp,
    /// Since when they are shut out.
    pub shut_out_at: Option<Timestamp>,
}

/// `PATCH /api/v1/people/{user}`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangePerson {
    /// The new place.
    pub role: WorkspaceRole,
}
