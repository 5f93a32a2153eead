//! The person that a change of members names, and what the caller may do about them.

use countersign_core::caller::Caller;
use countersign_core::id::{UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::WorkspaceRole;
use countersign_store::person::Person;
use countersign_store::{Tx, person, workspace};

use crate::person::Mail;

/// A person as they stand to one workspace.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) user: UserId,
    pub(super) row: Person,
    pub(super) place: Option<WorkspaceRole>,
}

/// Looks a person up by mail address.
pub(super) async fn find(t: &Tx<'_>, workspace: WorkspaceId, mail: &Mail) -> Result<Option<Known>, Problem> {
    stand(t, workspace, person::find_by_mail(t, mail.key()).await?).await
}

/// Looks a person up by id.
pub(super) async fn find_by_id(
    t: &Tx<'_>,
    workspace: WorkspaceId,
    user: UserId,
) -> Result<Option<Known>, Problem> {
    stand(t, workspace, person::find(t, user).await?).await
}

async fn stand(t: &Tx<'_>, workspace: WorkspaceId, row: Option<Person>) -> Result<Option<Known>, Problem> {
    let Some(row) = row else {
        return Ok(None);
    };
    let user = UserId::parse(&row.id).map_err(Problem::internal)?;
    let place = workspace::find_role(t, workspace, user).await?;
    Ok(Some(Known { user, row, place }))
}

/// Whether the caller is an owner of the workspace.
pub(super) async fn is_owner(t: &Tx<'_>, caller: &Caller, workspace: WorkspaceId) -> Result<bool, Problem> {
    let Some(user) = caller.person() else {
        return Ok(false);
    };
    Ok(workspace::find_role(t, workspace, user).await? == Some(WorkspaceRole::Owner))
}

/// The refusal of what only owners of the workspace may do.
pub(super) fn owners_only(what: &str) -> Problem {
    Problem::new(Code::RoleRequired, format!("Only an owner of the workspace may {what}."))
        .fact("role", "owner")
}
