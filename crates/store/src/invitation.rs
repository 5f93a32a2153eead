//! Invitations: the hash of a link that works once, whom it is for, and what it gives.

use countersign_core::id::{InvitationId, WorkspaceId};
use countersign_core::time::Timestamp;

use crate::{ByTime, Result, Saved, Tx, record};

record! {
    /// An invitation.
    pub struct Invitation in "invitation" {
        /// Its id; never its secret.
        id: String,
        /// SHA-256 of the link's token.
        token_hash: Vec<u8>,
        /// The tenant.
        workspace_id: String,
        /// Whom it is for.
        mail: String,
        /// The same, folded.
        mail_key: String,
        /// The place in the workspace that it gives: `member` or `owner`.
        role: String,
        /// The project that it brings into, if any.
        project_id: Option<String>,
        /// The role in it.
        project_role: Option<String>,
        /// Who made it.
        invited_by: String,
        /// When it was made, in milliseconds.
        created_at: i64,
        /// When it ends.
        expires_at: i64,
        /// When an owner took it back.
        withdrawn_at: Option<i64>,
        /// When somebody came by it.
        accepted_at: Option<i64>,
    }
}

// Who invited must still be an owner who can sign in: what a person hands out ends with what they are.
const FIND_OPEN: &str = "SELECT {cols} FROM invitation WHERE token_hash = $1 AND expires_at > $2 \
    AND withdrawn_at IS NULL AND accepted_at IS NULL AND EXISTS (SELECT 1 FROM workspace_member wm \
    JOIN person p ON p.id = wm.user_id WHERE wm.workspace_id = invitation.workspace_id \
    AND wm.user_id = invitation.invited_by AND wm.role = 'owner' AND p.disabled_at IS NULL)";

/// The invitation with this hash, if it is open and who made it could make it now.
pub async fn find_open(t: &Tx<'_>, token_hash: &[u8], now: Timestamp) -> Result<Option<Invitation>> {
    t.opt(FIND_OPEN, &[&token_hash, &now.millis()]).await
}

const NAMES: &str = "SELECT w.name, p.name, pr.name FROM invitation i JOIN workspace w ON w.id = i.workspace_id \
    JOIN person p ON p.id = i.invited_by LEFT JOIN project pr ON pr.id = i.project_id WHERE i.id = $1";

/// What an invitation names: the workspace, who made it, the project.
pub type Names = (String, String, Option<String>);

/// The names for one invitation.
pub async fn names(t: &Tx<'_>, id: &str) -> Result<Names> {
    t.one(NAMES, &[&id]).await
}

const LIST_OPEN: &str = "SELECT {cols} FROM invitation WHERE workspace_id = $1 AND expires_at > $2 \
    AND withdrawn_at IS NULL AND accepted_at IS NULL AND (created_at, id) < ($3, $4) \
    ORDER BY created_at DESC, id DESC LIMIT $5";

/// At most `limit` of the open invitations of a workspace, the newest on top, behind one of them.
pub async fn list_open(
    t: &Tx<'_>,
    workspace: WorkspaceId,
    now: Timestamp,
    behind: ByTime,
    limit: i64,
) -> Result<Vec<Invitation>> {
    let workspace = workspace.to_string();
    t.all(LIST_OPEN, &[&workspace, &now.millis(), &behind.at, &behind.id, &limit]).await
}

const WITHDRAW_FOR: &str = "UPDATE invitation SET withdrawn_at = $3 \
    WHERE workspace_id = $1 AND mail_key = $2 AND withdrawn_at IS NULL AND accepted_at IS NULL";

/// Takes back whatever is open for a mail address, over or not; tells how many that were.
pub async fn withdraw_for(t: &Tx<'_>, workspace: WorkspaceId, mail_key: &str, at: Timestamp) -> Result<u64> {
    t.exec(WITHDRAW_FOR, &[&workspace.to_string(), &mail_key, &at.millis()]).await
}

const WITHDRAW: &str = "UPDATE invitation SET withdrawn_at = $3 \
    WHERE id = $1 AND workspace_id = $2 AND withdrawn_at IS NULL AND accepted_at IS NULL RETURNING id";
const EXISTS_IN: &str = "SELECT id FROM invitation WHERE id = $1 AND workspace_id = $2";

/// Takes one back; `Changed` when it was over already.
pub async fn withdraw(t: &Tx<'_>, id: InvitationId, workspace: WorkspaceId, at: Timestamp) -> Result<Saved> {
    let (id, workspace) = (id.to_string(), workspace.to_string());
    let done: Option<(String,)> = t.opt(WITHDRAW, &[&id, &workspace, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS_IN, &[&id, &workspace]).await
}

const ACCEPT: &str = "UPDATE invitation SET accepted_at = $2 WHERE id = $1 AND expires_at > $2 \
    AND withdrawn_at IS NULL AND accepted_at IS NULL RETURNING id";
const EXISTS: &str = "SELECT id FROM invitation WHERE id = $1";

/// Takes the one use of an invitation; of all who hold the link, one is answered `Done`.
pub async fn accept(t: &Tx<'_>, id: &str, at: Timestamp) -> Result<Saved> {
    let done: Option<(String,)> = t.opt(ACCEPT, &[&id, &at.millis()]).await?;
    Saved::sort(t, done.map(|_| ()), EXISTS, &[&id]).await
}
