//! Asked again, in the transaction of a change: between the gate and the change others may have ended the credential, shut
//! the person out, or taken the role.

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::WorkspaceId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_store::{Tx, standing};

use super::Subject;
use super::pass::{look_up, place};

/// What the gate asked of a call.
#[derive(Clone, Debug)]
pub(super) struct Again {
    pub(super) caller: Caller,
    pub(super) workspace: WorkspaceId,
    pub(super) subject: Subject,
    pub(super) role: MemberRole,
}

impl Again {
    /// Passes who would pass at this moment.
    pub(super) async fn stands(&self, t: &Tx<'_>) -> Result<(), Problem> {
        if !self.has_credential(t).await? {
            return Err(Problem::new(
                Code::Unauthenticated,
                "What this call came with ended meanwhile, so nothing was changed.",
            ));
        }
        let access = look_up(t, &self.caller, self.workspace, self.subject).await?;
        place(&self.caller, (self.subject, self.role), access).map(drop)
    }

    async fn has_credential(&self, t: &Tx<'_>) -> Result<bool, Problem> {
        let Some(person) = self.caller.person() else { return Ok(false) };
        let whose = (self.workspace, person);
        Ok(match &self.caller.principal {
            Principal::Anonymous { .. } => false,
            Principal::Connection { id, .. } => standing::connection(t, whose, *id).await?,
            Principal::Session { session: Some(key), .. } => standing::session(t, whose, &key.0).await?,
            Principal::Session { session: None, .. } => standing::person(t, whose).await?,
            Principal::Token { id, .. } => standing::token(t, whose, *id).await?,
        })
    }
}
