//! Proposals over the REST API: the queue, the frozen facts, the decision.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{ConnectionId, ProposalId, ResourceId};
use crate::limit;
use crate::proposal::ProposalState;
use crate::role::MemberRole;
use crate::time::Timestamp;

/// One item of `GET /api/v1/proposals`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposalItem {
    /// The proposal.
    pub id: ProposalId,
    /// Its first line.
    pub title: String,
    /// Where it stands.
    pub status: ProposalState,
    /// The name of the repository.
    pub repository: String,
    /// The branch that it would move.
    pub branch: String,
    /// The display name of the connection that proposed it.
    pub agent: String,
    /// The name of the person behind that connection.
    pub owner: String,
    /// How many files it touches.
    pub files: usize,
    /// When it was proposed.
    pub created_at: Timestamp,
    /// When it ends if nobody decides.
    pub expires_at: Timestamp,
    /// When it was decided or ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Timestamp>,
    /// Whether the token's person has the role to decide it.
    pub may_decide: bool,
}

/// `GET /api/v1/proposals/{id}`: all frozen facts and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposalFacts {
    /// What the queue says of it.
    #[serde(flatten)]
    pub item: ProposalItem,
    /// The repository.
    pub repository_id: ResourceId,
    /// The connection that proposed it.
    pub connection_id: ConnectionId,
    /// The whole message of the commit.
    pub message: String,
    /// The author of the commit, as in its header.
    pub author: String,
    /// The commit that it was made on.
    pub base_oid: String,
    /// The files against that commit.
    pub changes: Vec<FileChange>,
    /// Why they cannot be compared, and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
    /// The role that deciding takes.
    pub needs: MemberRole,
    /// Who decided; nobody when time or a revoke ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    /// Why it was declined, withdrawn or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The commit that landed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// What stood on the branch instead of the base, once it is stale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_head: Option<String>,
}

/// One file of a proposal or of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// Its path in the tree.
    pub path: String,
    /// Its path before, of one that was renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// `added`, `modified`, `renamed` or `removed`.
    pub change: String,
    /// Lines that come.
    pub added: usize,
    /// Lines that go.
    pub removed: usize,
    /// The hunks as unified text, ` `, `+` and `-` before each line; nothing for bytes or too much text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
}

/// `POST /api/v1/proposals/{id}/decline`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclineProposal {
    /// Why; the agent reads it.
    #[schemars(length(max = limit::REASON))]
    pub reason: String,
}

/// The answer to an approve or a decline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decided {
    /// The proposal.
    pub proposal_id: ProposalId,
    /// Where it stands now.
    pub status: ProposalState,
    /// The commit that landed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Whether this is the answer of an earlier decision.
    #[serde(default)]
    pub replayed: bool,
}
