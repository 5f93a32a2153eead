//! Whether a credential that let a call in still stands: asked again in the transaction of what the call changes.

use countersign_core::id::{ConnectionId, TokenId, UserId, WorkspaceId};

use crate::{Result, Tx};

macro_rules! person_sql {
    ($join:literal, $and:literal) => {
        concat!(
            "SELECT p.id FROM person p JOIN workspace_member wm ON wm.user_id = p.id AND wm.workspace_id = $2 ",
            $join,
            " WHERE p.id = $1 AND p.disabled_at IS NULL ",
            $and
        )
    };
}

const PERSON: &str = person_sql!("", "");

/// Whether a person may sign in and is in the workspace.
pub async fn person(t: &Tx<'_>, (workspace, person): (WorkspaceId, UserId)) -> Result<bool> {
    t.any(PERSON, &[&person.to_string(), &workspace.to_string()]).await
}

const SESSION: &str =
    person_sql!("JOIN session s ON s.user_id = p.id", "AND s.token_hash = $3 AND s.revoked_at IS NULL");

/// The same, and their session was not ended.
pub async fn session(
    t: &Tx<'_>,
    (workspace, person): (WorkspaceId, UserId),
    token_hash: &[u8],
) -> Result<bool> {
    t.any(SESSION, &[&person.to_string(), &workspace.to_string(), &token_hash]).await
}

const TOKEN: &str =
    person_sql!("JOIN token tk ON tk.user_id = p.id", "AND tk.id = $3 AND tk.revoked_at IS NULL");

/// The same, and their token was not revoked.
pub async fn token(t: &Tx<'_>, (workspace, person): (WorkspaceId, UserId), token: TokenId) -> Result<bool> {
    t.any(TOKEN, &[&person.to_string(), &workspace.to_string(), &token.to_string()]).await
}

const CONNECTION: &str =
    person_sql!("JOIN connection c ON c.user_id = p.id", "AND c.id = $3 AND c.status = 'active'");

/// The same, and their connection was not revoked.
pub async fn connection(
    t: &Tx<'_>,
    (workspace, person): (WorkspaceId, UserId),
    connection: ConnectionId,
) -> Result<bool> {
    t.any(CONNECTION, &[&person.to_string(), &workspace.to_string(), &connection.to_string()]).await
}
