//! Proposals as a person reads them: the queue, one page, what was decided.

use countersign_core::id::{ConnectionId, ProposalId, ResourceId};
use countersign_core::proposal::ProposalState;
use countersign_core::role::MemberRole;
use countersign_core::time::Timestamp;

use crate::diff::view::FileDiff;

/// The proposals that a person may see: those that wait, then those decided last.
#[derive(Clone, Debug, Default)]
pub struct QueueView {
    /// Pending and failed ones, the one that expires first on top.
    pub waiting: Vec<ProposalRow>,
    /// Decided or ended ones, the latest on top; a bounded number.
    pub decided: Vec<ProposalRow>,
    /// Whether more wait than are listed.
    pub more: bool,
}

/// How much is shown of the files that a proposal changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// What changes, with a few lines around it.
    #[default]
    Changes,
    /// Every line.
    Whole,
}

/// One line of the queue.
#[derive(Clone, Debug)]
pub struct ProposalRow {
    /// The proposal.
    pub id: ProposalId,
    /// Its first line.
    pub title: String,
    /// Where it stands.
    pub state: ProposalState,
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
    /// When it expires if nobody decides.
    pub expires_at: Timestamp,
    /// When it was decided or ended.
    pub ended_at: Option<Timestamp>,
    /// Whether this viewer has the role to decide it.
    pub may_decide: bool,
}

/// One proposal: its frozen facts and where it stands.
#[derive(Clone, Debug)]
pub struct ProposalView {
    /// The line of the queue.
    pub row: ProposalRow,
    /// The repository.
    pub repository_id: ResourceId,
    /// The connection that proposed it.
    pub connection: ConnectionId,
    /// The whole message that the commit will carry, as frozen.
    pub message: String,
    /// The author of the commit, as it will stand in its header.
    pub author: String,
    /// The commit that the reviewer compares with.
    pub base_oid: String,
    /// The files, compared with the base.
    pub files: Vec<FileDiff>,
    /// Why they cannot be compared, and what to do; it can be declined all the same.
    pub unreadable: Option<String>,
    /// The role that deciding it takes.
    pub needs: MemberRole,
    /// Why it takes more than an editor: protected branch or paths, in words.
    pub guarded: Vec<String>,
    /// Why this viewer may not decide it; nothing when they may.
    pub refused: Option<String>,
    /// What was decided, once it was.
    pub decision: Option<Decision>,
    /// The commit that landed, or that was being made.
    pub commit_oid: Option<String>,
    /// What stands on the branch instead of the base, once it is stale.
    pub moved: Option<Moved>,
    /// The next waiting one before this in the queue.
    pub previous: Option<ProposalId>,
    /// The next waiting one after this in the queue.
    pub next: Option<ProposalId>,
}

/// Who decided, when, and what they said.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The name of the person; nobody when time or a revoke ended it.
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
    /// Why, where there is a reason: of a decline, a failure or a withdrawal.
    pub reason: Option<String>,
}

/// How the branch moved away from the base of a stale proposal.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The tip that was found.
    pub head_oid: String,
    /// The commits between base and tip, the latest first; a bounded number.
    pub commits: Vec<MovedCommit>,
    /// The paths that changed between base and tip; a bounded number.
    pub paths: Vec<String>,
    /// Whether there are more commits or paths than are listed.
    pub more: bool,
}

/// One commit that landed in between.
#[derive(Clone, Debug)]
pub struct MovedCommit {
    /// Its id.
    pub oid: String,
    /// Its first line.
    pub title: String,
    /// The name of its author.
    pub author: String,
    /// When it was committed.
    pub at: Timestamp,
}
