//! Connections: made pending or at consent, active from consent on, revoked for good.

use countersign_core::id::{ConnectionId, ProjectId, UserId, WorkspaceId};
use countersign_core::proposal::ProposalState;
use countersign_core::time::Timestamp;

use crate::{Inserted, Result, Saved, Tx, record};

record! {
    /// A connection.
    pub struct Connection in "connection" {
        /// Its id.
        id: String,
        /// The tenant.
        workspace_id: String,
        /// Its person.
        user_id: String,
        /// Which assistant it is for.
        kind: String,
        /// Its display name.
        name: String,
        /// `pending`, `active` or `revoked`.
        status: String,
        /// The approved client.
        client_id: Option<String>,
        /// The name that the client gave itself.
        client_name: Option<String>,
        /// What it may do.
        scopes: String,
        /// Tools that its person switched off, a JSON list of names.
        switched_off: String,
        /// When it was made, in milliseconds.
        created_at: i64,
        /// When a client was approved.
        activated_at: Option<i64>,
        /// When a token of it was last used for the first time.
        used_at: Option<i64>,
        /// When it was revoked.
        revoked_at: Option<i64>,
        /// Counts its changes.
        version: i64,
    }
}

record! {
    /// A project on a connection.
    pub struct ConnectionProject in "connection_project" {
        /// The connection.
        connection_id: String,
        /// The project.
        project_id: String,
        /// Since when, in milliseconds.
        added_at: i64,
    }
}

const EXISTS: &str = "SELECT id FROM connection WHERE id = $1";

const FIND: &str = "SELECT {cols} FROM connection WHERE id = $1 AND workspace_id = $2";

/// The connection with this id, if it is in this workspace.
pub async fn find(t: &Tx<'_>, id: ConnectionId, workspace: WorkspaceId) -> Result<Option<Connection>> {
    t.opt(FIND, &[&id.to_string(), &workspace.to_string()]).await
}

const LIST_PENDING: &str = "SELECT {cols} FROM connection \
    WHERE workspace_id = $1 AND user_id = $2 AND status = 'pending' ORDER BY created_at DESC, id DESC LIMIT 100";

/// A person's connections that wait for a client, the newest first.
pub async fn list_pending(t: &Tx<'_>, workspace: WorkspaceId, user: UserId) -> Result<Vec<Connection>> {
    t.all(LIST_PENDING, &[&workspace.to_string(), &user.to_string()]).await
}

/// A client that its person approved.
#[derive(Clone, Copy, Debug)]
pub struct Approved<'a> {
    /// The connection's person, who approved.
    pub person: UserId,
    /// The client's id.
    pub client_id: &'a str,
    /// The name that the client gave itself.
    pub client_name: &'a str,
    /// What it may do.
    pub scopes: &'a str,
    /// When.
    pub at: Timestamp,
}

const ACTIVATE: &str = "UPDATE connection SET status = 'active', client_id = $3, client_name = $4, scopes = $5, \
    activated_at = $6, version = version + 1 WHERE id = $1 AND user_id = $2 AND status = 'pending' RETURNING id";

/// Gives a pending connection of this person to a client; of two clients one gets it.
pub async fn activate(t: &Tx<'_>, id: ConnectionId, approved: Approved<'_>) -> Result<Saved> {
    let Approved { person, client_id, client_name, scopes, at } = approved;
    let key = id.to_string();
    let args: crate::Args<'_> = &[&key, &person.to_string(), &client_id, &client_name, &scopes, &at.millis()];
    let done: Option<(String,)> = t.opt(ACTIVATE, args).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&key]).await
}

const RAISE: &str =
    "UPDATE connection SET version = version + 1 WHERE id = $1 AND status <> 'revoked' RETURNING id";

/// Counts a change of a connection that is not revoked. It holds the row, so that no revoke comes between.
pub async fn raise(t: &Tx<'_>, id: ConnectionId) -> Result<Saved> {
    let key = id.to_string();
    let done: Option<(String,)> = t.opt(RAISE, &[&key]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&key]).await
}

/// Adds a project; adding it again changes nothing.
pub async fn add_project(
    t: &Tx<'_>,
    id: ConnectionId,
    project: ProjectId,
    at: Timestamp,
) -> Result<Inserted> {
    let row = ConnectionProject {
        connection_id: id.to_string(),
        project_id: project.to_string(),
        added_at: at.millis(),
    };
    row.insert_once(t).await
}

const REMOVE: &str =
    "DELETE FROM connection_project WHERE connection_id = $1 AND project_id = $2 RETURNING project_id";

/// Takes a project off; `Missing` when it was not on.
pub async fn remove_project(t: &Tx<'_>, id: ConnectionId, project: ProjectId) -> Result<Saved> {
    let done: Option<(String,)> = t.opt(REMOVE, &[&id.to_string(), &project.to_string()]).await?;
    Ok(done.map_or(Saved::Missing, |_| Saved::Done(())))
}

const SWITCH: &str = "UPDATE connection SET switched_off = $3, version = version + 1 \
    WHERE id = $1 AND version = $2 AND status <> 'revoked' RETURNING version";

/// Saves which tools are off, as seen at `version`.
pub async fn save_switched_off(t: &Tx<'_>, id: ConnectionId, version: i64, off: &str) -> Result<Saved<i64>> {
    let key = id.to_string();
    let done: Option<(i64,)> = t.opt(SWITCH, &[&key, &version, &off]).await?;
    Saved::sort(t, done.map(|(version,)| version), EXISTS, &[&key]).await
}

const REVOKE: &str = "UPDATE connection SET status = 'revoked', revoked_at = $2, version = version + 1 \
    WHERE id = $1 AND status <> 'revoked' RETURNING id";

/// Revokes it for good: every token answers for it by this row.
pub async fn revoke(t: &Tx<'_>, id: ConnectionId, at: Timestamp) -> Result<Saved> {
    let key = id.to_string();
    let done: Option<(String,)> = t.opt(REVOKE, &[&key, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&key]).await
}

/// A proposal that a revoked connection took with it: id, repository, title, branch.
pub type Withdrawn = (String, String, String, String);

const WITHDRAW: &str = "UPDATE proposal SET status = $4, reason = $5, decided_by = $2, decided_at = $3, finished_at = $3 \
    WHERE connection_id = $1 AND status IN ('pending', 'failed') RETURNING id, repository_id, title, branch";

/// Withdraws whatever of a connection still waits for a person, in the order of the repositories.
pub async fn withdraw_open(
    t: &Tx<'_>,
    id: ConnectionId,
    by: UserId,
    at: Timestamp,
) -> Result<Vec<Withdrawn>> {
    let to = ProposalState::Withdrawn.as_str();
    let args: crate::Args<'_> = &[&id.to_string(), &by.to_string(), &at.millis(), &to, &"connection_revoked"];
    let mut rows: Vec<Withdrawn> = t.all(WITHDRAW, args).await?;
    rows.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
    Ok(rows)
}
