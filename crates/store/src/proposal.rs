//! Proposals: frozen when made; every step out of a state names the state, and the attempt, that it saw.

use countersign_core::id::{ConnectionId, ProposalId, ResourceId, UserId};
use countersign_core::proposal::ProposalState;
use countersign_core::time::Timestamp;

use crate::{Result, Saved, Tx, record};

record! {
    /// A frozen change and what became of it.
    pub struct Proposal in "proposal" {
        /// Its id.
        id: String,
        /// The tenant.
        workspace_id: String,
        /// The repository that it would change.
        repository_id: String,
        /// The connection that proposed it.
        connection_id: String,
        /// The tool that made it, without `propose_`.
        kind: String,
        /// One line for lists.
        title: String,
        /// Where it stands.
        status: String,
        /// The key under which the connection may send it again.
        idempotency_key: String,
        /// SHA-256 of the canonical body (RFC 8785).
        body_hash: Vec<u8>,
        /// The branch that it would move.
        branch: String,
        /// The commit that the branch was at.
        base_oid: String,
        /// The commit message as the agent wrote it.
        message: String,
        /// The author's name, frozen with the rest.
        author_name: String,
        /// When it was made, in milliseconds.
        created_at: i64,
        /// When nobody may approve it any more.
        expires_at: i64,
        /// Counts the approvals that began.
        attempt: i64,
        /// Who decided.
        decided_by: Option<String>,
        /// When they decided.
        decided_at: Option<i64>,
        /// Why it was declined, withdrawn or failed.
        reason: Option<String>,
        /// The signed commit, byte for byte, before any ref moves.
        commit_bytes: Option<Vec<u8>>,
        /// Its id.
        commit_oid: Option<String>,
        /// Where the branch was instead, when stale; nowhere, when it was gone.
        branch_head: Option<String>,
        /// When it came to its end.
        finished_at: Option<i64>,
    }
}

record! {
    /// One frozen file.
    pub struct ProposalFile in "proposal_file" {
        /// The proposal.
        proposal_id: String,
        /// Its place in the order of the call.
        position: i64,
        /// Where it goes.
        path: String,
        /// What it holds, whole.
        content: String,
    }
}

const FIND: &str = "SELECT {cols} FROM proposal WHERE id = $1";

/// The proposal with this id, of whichever workspace.
pub async fn find(t: &Tx<'_>, id: ProposalId) -> Result<Option<Proposal>> {
    t.opt(FIND, &[&id.to_string()]).await
}

const FIND_BY_KEY: &str = "SELECT {cols} FROM proposal WHERE connection_id = $1 AND idempotency_key = $2";

/// What the connection sent under this key before.
pub async fn find_by_key(t: &Tx<'_>, connection: ConnectionId, key: &str) -> Result<Option<Proposal>> {
    t.opt(FIND_BY_KEY, &[&connection.to_string(), &key]).await
}

const FILES: &str = "SELECT {cols} FROM proposal_file WHERE proposal_id = $1 ORDER BY position";

/// Its files, in the order of the call.
pub async fn files(t: &Tx<'_>, id: ProposalId) -> Result<Vec<ProposalFile>> {
    t.all(FILES, &[&id.to_string()]).await
}

const PATHS: &str = "SELECT path FROM proposal_file WHERE proposal_id = $1 ORDER BY position";

/// Where its files go, in the order of the call; what they hold is not read.
pub async fn paths(t: &Tx<'_>, id: ProposalId) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = t.all(PATHS, &[&id.to_string()]).await?;
    Ok(rows.into_iter().map(|(path,)| path).collect())
}

record! {
    /// A proposal in a list: without message and commit.
    pub struct ProposalLine in "proposal" {
        /// Its id.
        id: String,
        /// The tool that made it, without `propose_`.
        kind: String,
        /// One line.
        title: String,
        /// Where it stands.
        status: String,
        /// The repository that it would change.
        repository_id: String,
        /// The connection that proposed it.
        connection_id: String,
        /// The branch that it would move.
        branch: String,
        /// When it was made.
        created_at: i64,
        /// When nobody may approve it any more.
        expires_at: i64,
        /// When it was decided.
        decided_at: Option<i64>,
    }
}

const LIST_OF_CONNECTION: &str = "SELECT {cols} FROM proposal WHERE connection_id = $1 \
    AND ($2 = '' OR status = $2) ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4";

/// A page of what one connection proposed, newest first.
pub async fn list_of_connection(
    t: &Tx<'_>,
    connection: ConnectionId,
    status: Option<ProposalState>,
    limit: i64,
    offset: i64,
) -> Result<Vec<ProposalLine>> {
    let status = status.map_or("", ProposalState::as_str);
    t.all(LIST_OF_CONNECTION, &[&connection.to_string(), &status, &limit, &offset]).await
}

const EXECUTING: &str =
    "SELECT id FROM proposal WHERE status = 'executing' AND repository_id = $1 ORDER BY decided_at, id";

/// What was begun in a repository and not finished.
pub async fn executing(t: &Tx<'_>, repository: ResourceId) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = t.all(EXECUTING, &[&repository.to_string()]).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

const EXECUTING_BRANCHES: &str =
    "SELECT branch FROM proposal WHERE status = 'executing' AND repository_id = $1";

/// The branches that such a proposal may have moved or may still move.
pub async fn executing_branches(t: &Tx<'_>, repository: ResourceId) -> Result<Vec<String>> {
    let rows: Vec<(String,)> = t.all(EXECUTING_BRANCHES, &[&repository.to_string()]).await?;
    Ok(rows.into_iter().map(|(branch,)| branch).collect())
}

const DUE: &str = "SELECT id, attempt FROM proposal WHERE status IN ('pending', 'failed') AND expires_at <= $1 \
    ORDER BY expires_at LIMIT 100";

/// What ran out of time and still stands open: id and attempt.
pub async fn due(t: &Tx<'_>, now: Timestamp) -> Result<Vec<(String, i64)>> {
    t.all(DUE, &[&now.millis()]).await
}

/// What a person decided, and the commit that carries it out.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// Who decided.
    pub by: UserId,
    /// When.
    pub at: Timestamp,
    /// The signed commit, byte for byte.
    pub bytes: &'a [u8],
    /// Its id.
    pub oid: &'a str,
}

const BEGIN: &str = "UPDATE proposal SET status = 'executing', attempt = attempt + 1, decided_by = $3, decided_at = $4, \
    commit_bytes = $5, commit_oid = $6, reason = NULL, branch_head = NULL, finished_at = NULL \
    WHERE id = $1 AND attempt = $2 AND status IN ('pending', 'failed') AND expires_at > $4 RETURNING id";

/// The point of no return: an open proposal in time, as seen at `attempt`, becomes `executing` under the next attempt,
/// and its commit is kept before any ref moves.
pub async fn begin(t: &Tx<'_>, id: ProposalId, attempt: i64, decision: Decision<'_>) -> Result<Saved> {
    let key = id.to_string();
    let Decision { by, at, bytes, oid } = decision;
    let done: Option<(String,)> =
        t.opt(BEGIN, &[&key, &attempt, &by.to_string(), &at.millis(), &bytes, &oid]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&key]).await
}

const EXISTS: &str = "SELECT id FROM proposal WHERE id = $1";

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End<'a> {
    /// The commit is on the branch.
    Executed {
        /// Its id.
        commit: &'a str,
    },
    /// The branch was elsewhere.
    Stale {
        /// Where it was; `None` when it was gone.
        branch_head: Option<&'a str>,
    },
    /// Nothing changed.
    Failed {
        /// Why.
        reason: &'a str,
    },
}

const FINISH: &str = "UPDATE proposal SET status = $3, commit_oid = COALESCE($4, commit_oid), branch_head = $5, \
    reason = $6, finished_at = $7 WHERE id = $1 AND attempt = $2 AND status = 'executing' RETURNING id";

/// Ends the execution of one attempt.
pub async fn finish(t: &Tx<'_>, id: ProposalId, attempt: i64, end: End<'_>, at: Timestamp) -> Result<Saved> {
    let key = id.to_string();
    let (status, commit, head, reason) = match end {
        End::Executed { commit } => (ProposalState::Executed, Some(commit), None, None),
        End::Stale { branch_head } => (ProposalState::Stale, None, branch_head, None),
        End::Failed { reason } => (ProposalState::Failed, None, None, Some(reason)),
    };
    let done: Option<(String,)> =
        t.opt(FINISH, &[&key, &attempt, &status.as_str(), &commit, &head, &reason, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&key]).await
}

/// How an open proposal is closed without being executed.
#[derive(Clone, Copy, Debug)]
pub struct Closing<'a> {
    /// `declined`, `withdrawn`, `expired`; `stale` when the branch moved before the decision, `failed` when the
    /// content is not valid any more.
    pub to: ProposalState,
    /// The person who closed it.
    pub by: Option<UserId>,
    /// Why.
    pub reason: Option<&'a str>,
    /// Where the branch is instead, when stale; `None` when it is gone.
    pub branch_head: Option<&'a str>,
    /// When.
    pub at: Timestamp,
}

const CLOSE: &str = "UPDATE proposal SET status = $3, decided_by = COALESCE($4, decided_by), decided_at = $5, \
    reason = $6, branch_head = $7, finished_at = $5 WHERE id = $1 AND attempt = $2 AND status IN ('pending', 'failed') RETURNING id";

/// Closes an open proposal, as seen at `attempt`.
pub async fn close(t: &Tx<'_>, id: ProposalId, attempt: i64, closing: Closing<'_>) -> Result<Saved> {
    let key = id.to_string();
    let Closing { to, by, reason, branch_head, at } = closing;
    let by = by.map(|id| id.to_string());
    let done: Option<(String,)> =
        t.opt(CLOSE, &[&key, &attempt, &to.as_str(), &by, &at.millis(), &reason, &branch_head]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&key]).await
}
