//! Personal access tokens: who holds which, by the hash of its secret.

use countersign_core::id::{TokenId, UserId, WorkspaceId};
use countersign_core::time::Timestamp;

use crate::{ByTime, Result, Saved, Tx, record};

record! {
    /// A personal access token.
    pub struct Token in "token" {
        /// Its id; never its secret.
        id: String,
        /// SHA-256 of its secret.
        token_hash: Vec<u8>,
        /// Whose it is.
        user_id: String,
        /// The tenant that it works in.
        workspace_id: String,
        /// What its person calls it.
        name: String,
        /// What it may do, separated by spaces.
        scopes: String,
        /// When it was made, in milliseconds.
        created_at: i64,
        /// When it ends.
        expires_at: i64,
        /// When it was last used, to the minute.
        used_at: Option<i64>,
        /// When it was ended before its time.
        revoked_at: Option<i64>,
    }
}

const FIND_LIVE: &str = "SELECT tk.id, tk.user_id, tk.workspace_id, tk.scopes, tk.used_at FROM token tk \
    JOIN person p ON p.id = tk.user_id \
    JOIN workspace_member wm ON wm.workspace_id = tk.workspace_id AND wm.user_id = tk.user_id \
    WHERE tk.token_hash = $1 AND tk.revoked_at IS NULL AND tk.expires_at > $2 AND p.disabled_at IS NULL";

/// A live token: id, person, workspace, scopes, when it was last used.
pub type Live = (String, String, String, String, Option<i64>);

/// The token with this hash, if it is neither over nor revoked and its person is still in the workspace.
pub async fn find_live(t: &Tx<'_>, token_hash: &[u8], now: Timestamp) -> Result<Option<Live>> {
    t.opt(FIND_LIVE, &[&token_hash, &now.millis()]).await
}

const IS_LIVE: &str = "SELECT tk.id FROM token tk \
    JOIN person p ON p.id = tk.user_id \
    JOIN workspace_member wm ON wm.workspace_id = tk.workspace_id AND wm.user_id = tk.user_id \
    WHERE tk.id = $1 AND tk.revoked_at IS NULL AND tk.expires_at > $2 AND p.disabled_at IS NULL";

/// Whether a token that opened something a while ago would still open it.
pub async fn is_live(t: &Tx<'_>, id: TokenId, now: Timestamp) -> Result<bool> {
    t.any(IS_LIVE, &[&id.to_string(), &now.millis()]).await
}

const SAVE_USED: &str = "UPDATE token SET used_at = $3 \
    WHERE id = $1 AND COALESCE(used_at, -1) = COALESCE($2, -1) RETURNING id";
const EXISTS: &str = "SELECT id FROM token WHERE id = $1";

/// Notes the use of a token that was last `seen` used at another moment.
pub async fn save_used(t: &Tx<'_>, id: TokenId, seen: Option<i64>, at: Timestamp) -> Result<Saved> {
    let key = id.to_string();
    let done: Option<(String,)> = t.opt(SAVE_USED, &[&key, &seen, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&key]).await
}

const LIST_FOR: &str = "SELECT {cols} FROM token WHERE user_id = $1 AND workspace_id = $2 \
    AND revoked_at IS NULL AND expires_at > $3 AND (created_at, id) < ($4, $5) \
    ORDER BY created_at DESC, id DESC LIMIT $6";

/// At most `limit` of a person's live tokens, the newest on top, behind one of them.
pub async fn list_for(
    t: &Tx<'_>,
    (user, workspace): (UserId, WorkspaceId),
    now: Timestamp,
    behind: ByTime,
    limit: i64,
) -> Result<Vec<Token>> {
    let (user, workspace) = (user.to_string(), workspace.to_string());
    t.all(LIST_FOR, &[&user, &workspace, &now.millis(), &behind.at, &behind.id, &limit]).await
}

const REVOKE: &str = "UPDATE token SET revoked_at = $4 \
    WHERE id = $1 AND user_id = $2 AND workspace_id = $3 AND revoked_at IS NULL RETURNING id";
const FIND_OWN: &str = "SELECT id FROM token WHERE id = $1 AND user_id = $2 AND workspace_id = $3";

/// Ends one of the person's own tokens; another's is `Missing`.
pub async fn revoke(
    t: &Tx<'_>,
    id: TokenId,
    (user, workspace): (UserId, WorkspaceId),
    at: Timestamp,
) -> Result<Saved> {
    let (id, user, workspace) = (id.to_string(), user.to_string(), workspace.to_string());
    let done: Option<(String,)> = t.opt(REVOKE, &[&id, &user, &workspace, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), FIND_OWN, &[&id, &user, &workspace]).await
}

const REVOKE_ALL: &str = "UPDATE token SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL";

/// Ends every token of a person for good; tells how many.
pub async fn revoke_all(t: &Tx<'_>, user: UserId, at: Timestamp) -> Result<u64> {
    t.exec(REVOKE_ALL, &[&user.to_string(), &at.millis()]).await
}
