//! Workspaces, the tenants, and who is in them.

use countersign_core::id::{UserId, WorkspaceId};
use countersign_core::role::WorkspaceRole;

use crate::{ByName, Error, Result, Saved, Tx, record};

record! {
    /// A tenant.
    pub struct Workspace in "workspace" {
        /// Its id.
        id: String,
        /// Its name.
        name: String,
        /// Its place in clone addresses; unique.
        slug: String,
        /// When it was made, in milliseconds.
        created_at: i64,
    }
}

record! {
    /// A person's place in a workspace.
    pub struct WorkspaceMember in "workspace_member" {
        /// The workspace.
        workspace_id: String,
        /// The person.
        user_id: String,
        /// `member` or `owner`.
        role: String,
        /// Since when, in milliseconds.
        created_at: i64,
    }
}

const FIND: &str = "SELECT {cols} FROM workspace WHERE id = $1";

/// The workspace with this id.
pub async fn find(t: &Tx<'_>, id: WorkspaceId) -> Result<Option<Workspace>> {
    t.opt(FIND, &[&id.to_string()]).await
}

const FIND_ROLE: &str = "SELECT role FROM workspace_member WHERE workspace_id = $1 AND user_id = $2";

/// The person's place in the workspace, if they have one.
pub async fn find_role(t: &Tx<'_>, workspace: WorkspaceId, user: UserId) -> Result<Option<WorkspaceRole>> {
    let found: Option<(String,)> = t.opt(FIND_ROLE, &[&workspace.to_string(), &user.to_string()]).await?;
    found
        .map(|(word,)| WorkspaceRole::parse(&word).ok_or_else(|| Error::Sql(format!("`{word}` is no role"))))
        .transpose()
}

const LIST_OF: &str = "SELECT w.id, w.name FROM workspace_member wm JOIN workspace w ON w.id = wm.workspace_id \
    WHERE wm.user_id = $1 ORDER BY wm.created_at, w.id LIMIT 100";

/// The workspaces of a person, by id and name, the one that they came to first on top.
pub async fn list_of(t: &Tx<'_>, user: UserId) -> Result<Vec<(String, String)>> {
    t.all(LIST_OF, &[&user.to_string()]).await
}

const FIRST_OF: &str = "SELECT workspace_id FROM workspace_member WHERE user_id = $1 \
    ORDER BY created_at, workspace_id LIMIT 1";

/// The workspace that a person came to first.
pub async fn first_of(t: &Tx<'_>, user: UserId) -> Result<Option<WorkspaceId>> {
    let found: Option<(String,)> = t.opt(FIRST_OF, &[&user.to_string()]).await?;
    found
        .map(|(id,)| {
            WorkspaceId::parse(&id)
                .map_err(|_| Error::Sql("a workspace id in the store is no UUID".to_owned()))
        })
        .transpose()
}

const HAS_PLACE_BEYOND: &str = "SELECT m.workspace_id FROM workspace_member m WHERE m.user_id = $1 \
    AND NOT EXISTS (SELECT o.user_id FROM workspace_member o \
    WHERE o.workspace_id = m.workspace_id AND o.user_id = $2 AND o.role = 'owner') LIMIT 1";

/// Whether a person is in a workspace that `owner` does not own.
pub async fn has_place_beyond(t: &Tx<'_>, user: UserId, owner: UserId) -> Result<bool> {
    t.any(HAS_PLACE_BEYOND, &[&user.to_string(), &owner.to_string()]).await
}

const PEOPLE: &str = "SELECT p.id, p.name, p.mail, wm.role, wm.created_at, p.disabled_at FROM workspace_member wm \
    JOIN person p ON p.id = wm.user_id WHERE wm.workspace_id = $1 AND (p.name, p.id) > ($2, $3) \
    ORDER BY p.name, p.id LIMIT $4";

/// Somebody in a workspace: id, name, mail address, place, since when, since when shut out.
pub type PersonSeen = (String, String, String, String, i64, Option<i64>);

/// At most `limit` of the people of a workspace, by name, behind one of them.
pub async fn people(
    t: &Tx<'_>,
    workspace: WorkspaceId,
    behind: ByName,
    limit: i64,
) -> Result<Vec<PersonSeen>> {
    t.all(PEOPLE, &[&workspace.to_string(), &behind.name, &behind.id, &limit]).await
}

const PERSON: &str = "SELECT p.id, p.name, p.mail, wm.role, wm.created_at, p.disabled_at FROM workspace_member wm \
    JOIN person p ON p.id = wm.user_id WHERE wm.workspace_id = $1 AND p.id = $2";

/// One of them.
pub async fn person(t: &Tx<'_>, workspace: WorkspaceId, user: UserId) -> Result<Option<PersonSeen>> {
    t.opt(PERSON, &[&workspace.to_string(), &user.to_string()]).await
}

const HOLD: &str = "UPDATE workspace SET id = id WHERE id = $1";

/// Holds a workspace until the transaction ends: of two that count its owners, the second sees what the first did.
pub async fn hold(t: &Tx<'_>, workspace: WorkspaceId) -> Result<()> {
    t.exec(HOLD, &[&workspace.to_string()]).await.map(|_| ())
}

const IS_OWNER_NOW: &str = "SELECT wm.user_id FROM workspace_member wm JOIN person p ON p.id = wm.user_id \
    WHERE wm.workspace_id = $1 AND wm.user_id = $2 AND wm.role = 'owner' AND p.disabled_at IS NULL";

/// Whether a person owns the workspace and can sign in.
pub async fn is_owner_now(t: &Tx<'_>, workspace: WorkspaceId, user: UserId) -> Result<bool> {
    t.any(IS_OWNER_NOW, &[&workspace.to_string(), &user.to_string()]).await
}

const HAS_OTHER_OWNER: &str = "SELECT wm.user_id FROM workspace_member wm JOIN person p ON p.id = wm.user_id \
    WHERE wm.workspace_id = $1 AND wm.user_id <> $2 AND wm.role = 'owner' AND p.disabled_at IS NULL LIMIT 1";

/// Whether somebody else owns the workspace and can sign in.
pub async fn has_other_owner(t: &Tx<'_>, workspace: WorkspaceId, user: UserId) -> Result<bool> {
    t.any(HAS_OTHER_OWNER, &[&workspace.to_string(), &user.to_string()]).await
}

const SAVE_ROLE: &str = "UPDATE workspace_member SET role = $4 \
    WHERE workspace_id = $1 AND user_id = $2 AND role = $3 RETURNING user_id";

/// Changes a person's place from the one that was seen.
pub async fn save_role(
    t: &Tx<'_>,
    (workspace, user): (WorkspaceId, UserId),
    seen: WorkspaceRole,
    role: WorkspaceRole,
) -> Result<Saved> {
    let (workspace, user) = (workspace.to_string(), user.to_string());
    let done: Option<(String,)> =
        t.opt(SAVE_ROLE, &[&workspace, &user, &seen.as_str(), &role.as_str()]).await?;
    Saved::sort(t, done.map(|_| ()), FIND_ROLE, &[&workspace, &user]).await
}
