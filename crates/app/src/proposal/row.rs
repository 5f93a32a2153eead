//! A stored proposal with its words turned into types, and the events and wake-ups that its changes give.

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::{AuditId, ConnectionId, ProposalId, ResourceId, UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::proposal::{self, ProposalState};
use countersign_core::time::Timestamp;
use countersign_store::event::{self, NewEvent};
use countersign_store::proposal::Proposal;
use countersign_store::{Tx, Wake};
use serde_json::json;

use crate::App;
use crate::actor::Actor;
use crate::gate::Record;

/// The topic on which pages with proposals wait.
pub(crate) const TOPIC: &str = "approvals";

/// A proposal as the use cases work with it.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    pub(super) id: ProposalId,
    pub(super) workspace: WorkspaceId,
    pub(super) repository: ResourceId,
    pub(super) connection: ConnectionId,
    pub(super) state: ProposalState,
    pub(super) branch: BranchName,
    pub(super) base: Oid,
    pub(super) created_at: Timestamp,
    pub(super) expires_at: Timestamp,
    pub(super) decider: Option<UserId>,
    pub(super) row: Proposal,
}

impl Loaded {
    /// Reads the words of a row; what does not fit is a damaged store.
    pub(super) fn of(row: Proposal) -> Result<Self, Problem> {
        let bad = |what: &str| {
            Problem::internal(format!("proposal {}: {what} in the store is not one of ours", row.id))
        };
        Ok(Self {
            id: ProposalId::parse(&row.id).map_err(|_| bad("the id"))?,
            workspace: WorkspaceId::parse(&row.workspace_id).map_err(|_| bad("the workspace"))?,
            repository: ResourceId::parse(&row.repository_id).map_err(|_| bad("the repository"))?,
            connection: ConnectionId::parse(&row.connection_id).map_err(|_| bad("the connection"))?,
            state: ProposalState::parse(&row.status).ok_or_else(|| bad("the status"))?,
            branch: BranchName::parse(&row.branch).map_err(|_| bad("the branch"))?,
            base: Oid::parse(&row.base_oid).map_err(|_| bad("the base"))?,
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
            decider: row
                .decided_by
                .as_deref()
                .map(|id| UserId::parse(id).map_err(|_| bad("the decider")))
                .transpose()?,
            row,
        })
    }

    /// The proposal with this id in this workspace; elsewhere it does not exist.
    pub(super) async fn get(
        t: &Tx<'_>,
        id: ProposalId,
        workspace: Option<WorkspaceId>,
    ) -> Result<Self, Problem> {
        let row =
            countersign_store::proposal::find(t, id).await?.ok_or_else(|| Problem::not_found("proposal"))?;
        let loaded = Self::of(row)?;
        if workspace.is_some_and(|workspace| workspace != loaded.workspace) {
            return Err(Problem::not_found("proposal"));
        }
        Ok(loaded)
    }

    /// Appends what happened to the repository's log and wakes the pages; call it last in the transaction.
    pub(super) async fn tell(
        &self,
        t: &Tx<'_>,
        kind: &str,
        actor: Actor,
        at: Timestamp,
    ) -> Result<(), Problem> {
        let summary = format!("{}: {}", kind.replace('.', " "), self.row.title);
        let refs = json!({ "proposal_id": self.id.to_string(), "branch": self.row.branch }).to_string();
        let event = NewEvent { kind: kind.to_owned(), at, actor: actor.json(), summary, refs };
        event::append(t, self.repository, event).await?;
        t.wake(Wake { workspace: self.workspace.to_string(), topic: TOPIC.to_owned() });
        Ok(())
    }

    /// The refusal of a step, with the words that fit how the proposal ended.
    pub(super) fn refusal(&self, code: Code) -> Problem {
        let by_revoke = code == Code::ProposalWithdrawn && self.row.reason.as_deref() == Some(REVOKED);
        let code = if by_revoke { Code::ConnectionRevoked } else { code };
        let problem = proposal::refusal(code, self.state);
        match &self.row.reason {
            Some(reason) => problem.fact("reason", reason.as_str()),
            None => problem,
        }
    }
}

/// The reason of a proposal that a revoked connection took with it.
pub(super) const REVOKED: &str = "connection_revoked";

/// The audit record of something that the server did to a proposal by itself.
pub(super) fn by_server(loaded: &Loaded, action: &str, at: Timestamp) -> Record {
    Record::by_server(action, at)
        .in_workspace(Some(loaded.workspace))
        .on(Some(loaded.repository))
        .detail("proposal_id", loaded.row.id.as_str())
}

/// Appends it.
pub(super) async fn record_by_server(
    t: &Tx<'_>,
    app: &App,
    loaded: &Loaded,
    action: &str,
    at: Timestamp,
) -> Result<(), Problem> {
    by_server(loaded, action, at).append(t, AuditId::new(app.uuid())).await?;
    Ok(())
}
