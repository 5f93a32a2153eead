//! Whose connection it is: its own person manages it, owners of the workspace see and revoke it, nobody else
//! learns that it exists.

use countersign_core::caller::Caller;
use countersign_core::id::ConnectionId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::WorkspaceRole;
use countersign_store::Tx;
use countersign_store::connection_page::{self, Listed};
use countersign_store::workspace;

/// What the caller is to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Its own person.
    Person,
    /// An owner of its workspace.
    WorkspaceOwner,
}

/// A connection that the caller may see.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) id: ConnectionId,
    pub(super) listed: Listed,
    pub(super) standing: Standing,
    /// Whether the caller owns the workspace, its own person or not.
    pub(super) owns_workspace: bool,
}

impl Seen {
    /// The connection with this id, if the caller may see it.
    pub(super) async fn get(t: &Tx<'_>, caller: &Caller, id: ConnectionId) -> Result<Self, Problem> {
        let missing = || Problem::not_found("connection");
        let (workspace, person) = caller.workspace.zip(caller.person()).ok_or_else(missing)?;
        let listed = connection_page::find(t, id, workspace).await?.ok_or_else(missing)?;
        let place = workspace::find_role(t, workspace, person).await?.ok_or_else(missing)?;
        let owns_workspace = place == WorkspaceRole::Owner;
        let standing = if listed.connection.user_id == person.to_string() {
            Standing::Person
        } else if owns_workspace {
            Standing::WorkspaceOwner
        } else {
            return Err(missing());
        };
        Ok(Self { id, listed, standing, owns_workspace })
    }

    /// Passes its own person alone.
    pub(super) fn managed(self) -> Result<Self, Problem> {
        match self.standing {
            Standing::Person => Ok(self),
            Standing::WorkspaceOwner => {
                Err(Problem::new(Code::RoleRequired, "A connection is managed by its own person alone.")
                    .next("Ask the person who approved it, or revoke it."))
            }
        }
    }
}

/// The refusal of a change to a connection that was revoked meanwhile.
pub(super) fn revoked() -> Problem {
    Problem::new(Code::ConnectionRevoked, "This connection is revoked for good.")
        .next("Connect the assistant again and use the new connection.")
}
