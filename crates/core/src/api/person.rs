//! Who the token's person is: `GET /api/v1/me`.

use serde::{Deserialize, Serialize};

use crate::id::{UserId, WorkspaceId};
use crate::role::WorkspaceRole;

/// The person behind the token, in their workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
