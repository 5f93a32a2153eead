//! What a change of a workspace's people asks again in its own transaction, while nobody else changes them.

use countersign_core::id::{UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_store::{Tx, workspace};

/// Holds the workspace until the transaction ends, and passes who is an owner of it at this moment: of two owners who
/// shut each other out at once, the second is none any more.
pub(super) async fn hold_as_owner(t: &Tx<'_>, workspace: WorkspaceId, person: UserId) -> Result<(), Problem> {
    workspace::hold(t, workspace).await?;
    if workspace::is_owner_now(t, workspace, person).await? {
        return Ok(());
    }
    Err(Problem::new(Code::RoleRequired, "You are no owner of the workspace any more.").fact("role", "owner"))
}

/// Refuses to let the last owner go who can sign in. The workspace is held.
pub(super) async fn leave_an_owner(t: &Tx<'_>, workspace: WorkspaceId, going: UserId) -> Result<(), Problem> {
    if workspace::has_other_owner(t, workspace, going).await? {
        return Ok(());
    }
    Err(Problem::new(Code::LastOwner, "A workspace keeps at least one owner who can sign in."))
}
