//! The permit: proof that the gate let this call pass, with what it learned on the way.

use countersign_core::caller::Caller;
use countersign_core::id::{ProjectId, ResourceId, UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_core::time::Timestamp;
use countersign_store::{Job, Tx};

use super::again::Again;
use super::{Action, Outcome, Record, Subject};
use crate::App;

/// Where the call acts, as the gate found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The resource, unless the call acts on a project or the workspace.
    pub resource: Option<ResourceId>,
    /// The project that it is in now.
    pub project: Option<ProjectId>,
    /// The resource's name, or the project's.
    pub name: String,
    /// The role of the person behind the call there.
    pub role: MemberRole,
}

/// A passed gate. Its fields are private: only the gate makes one.
#[derive(Clone, Debug)]
pub struct Permit<T> {
    pub(super) target: T,
    pub(super) again: Again,
    pub(super) action: Action,
    pub(super) place: Option<Place>,
    pub(super) at: Timestamp,
}

impl<T> Permit<T> {
    /// What the use case works on.
    pub const fn target(&self) -> &T {
        &self.target
    }

    /// Who calls.
    pub const fn caller(&self) -> &Caller {
        &self.again.caller
    }

    /// The tenant.
    pub const fn workspace(&self) -> WorkspaceId {
        self.again.workspace
    }

    /// Where the call acts, when that is a resource or a project.
    pub const fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// The role of the person behind the call; owner where the call acts on the workspace or their own things.
    pub fn role(&self) -> MemberRole {
        self.place.as_ref().map_or(MemberRole::Owner, |place| place.role)
    }

    /// When the gate let the call pass.
    pub const fn at(&self) -> Timestamp {
        self.at
    }

    /// The person behind the call.
    pub fn person(&self) -> Result<UserId, Problem> {
        self.again.caller.person().ok_or_else(|| Problem::new(Code::Unauthenticated, "Nobody is signed in."))
    }

    /// The same permit for another target: the use case looked further and found it.
    pub fn with<U>(self, target: U) -> (Permit<U>, T) {
        let Self { target: old, again, action, place, at } = self;
        (Permit { target, again, action, place, at }, old)
    }

    /// Asks the gate, in the transaction of a change, about one more thing that the change touches.
    pub async fn also(&self, t: &Tx<'_>, subject: Subject, role: MemberRole) -> Result<(), Problem> {
        Again { subject, role, ..self.again.clone() }.stands(t).await
    }

    /// Runs the transaction of the change that was asked for, if whoever calls would pass the gate at its moment too.
    /// A change goes no other way.
    pub async fn write<R: Send + 'static>(
        &self,
        app: &App,
        change: impl for<'c> FnOnce(&'c Tx<'c>) -> Job<'c, R, Problem> + Send + 'static,
    ) -> Result<R, Problem> {
        let again = self.again.clone();
        let asked = app.db.write(move |t| {
            Box::pin(async move {
                again.stands(t).await?;
                change(t).await
            })
        });
        asked.await
    }

    /// The audit record of this call; a change appends it in its own transaction.
    pub fn record(&self, outcome: Outcome) -> Record {
        Record::new(&self.again.caller, self.action, self.at, outcome)
            .in_workspace(Some(self.again.workspace))
            .on(self.place.as_ref().and_then(|place| place.resource))
    }
}
