//! What a backup and the proof of a restore ask of the store as a whole.

use crate::{Result, Tx};

const READY: &str = "SELECT id, default_branch FROM repository WHERE ready_at IS NOT NULL ORDER BY id";

/// Every repository whose folder is complete, of all workspaces: its id and the branch that HEAD names.
pub async fn ready(t: &Tx<'_>) -> Result<Vec<(String, String)>> {
    t.all(READY, &[]).await
}

/// A proposal that was executed: its id, its repository, and the commit, byte for byte.
pub type Executed = (String, String, Vec<u8>);

const EXECUTED: &str = "SELECT id, repository_id, commit_bytes FROM proposal \
    WHERE status = 'executed' AND commit_bytes IS NOT NULL ORDER BY finished_at DESC, id DESC LIMIT $1";

/// The proposals that were executed last.
pub async fn executed(t: &Tx<'_>, limit: i64) -> Result<Vec<Executed>> {
    t.all(EXECUTED, &[&limit]).await
}
