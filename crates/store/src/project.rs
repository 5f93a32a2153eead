//! Projects and the roles that people have in them.

use countersign_core::id::{ProjectId, UserId, WorkspaceId};
use countersign_core::role::MemberRole;

use crate::{ByName, Removed, Result, Saved, Tx, record};

record! {
    /// A group of resources with members.
    pub struct Project in "project" {
        /// Its id.
        id: String,
        /// The tenant.
        workspace_id: String,
        /// Its name; unique in the workspace.
        name: String,
        /// When it was made, in milliseconds.
        created_at: i64,
    }
}

record! {
    /// A person's role in a project.
    pub struct ProjectMember in "project_member" {
        /// The project.
        project_id: String,
        /// The person.
        user_id: String,
        /// `viewer`, `editor`, `maintainer` or `owner`.
        role: String,
        /// Since when, in milliseconds.
        created_at: i64,
    }
}

/// A page of a list.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// How many rows at most.
    pub limit: i64,
    /// How many rows to leave out before.
    pub offset: i64,
}

const LIST_FOR: &str = "SELECT p.id, p.name, wm.role, pm.role, p.created_at FROM project p \
    JOIN workspace_member wm ON wm.workspace_id = p.workspace_id AND wm.user_id = $2 \
    LEFT JOIN project_member pm ON pm.project_id = p.id AND pm.user_id = $2 \
    WHERE p.workspace_id = $1 AND (wm.role = 'owner' OR pm.role IS NOT NULL) \
    ORDER BY p.name, p.id LIMIT $3 OFFSET $4";

/// One project that a person sees: id, name, their place in the workspace, their role in it, since when it is.
pub type Seen = (String, String, String, Option<String>, i64);

/// The projects that a person sees, by name.
pub async fn list_for(t: &Tx<'_>, workspace: WorkspaceId, user: UserId, window: Window) -> Result<Vec<Seen>> {
    t.all(LIST_FOR, &[&workspace.to_string(), &user.to_string(), &window.limit, &window.offset]).await
}

const PAGE_FOR: &str = "SELECT p.id, p.name, wm.role, pm.role, p.created_at FROM project p \
    JOIN workspace_member wm ON wm.workspace_id = p.workspace_id AND wm.user_id = $2 \
    LEFT JOIN project_member pm ON pm.project_id = p.id AND pm.user_id = $2 \
    WHERE p.workspace_id = $1 AND (wm.role = 'owner' OR pm.role IS NOT NULL) AND (p.name, p.id) > ($3, $4) \
    ORDER BY p.name, p.id LIMIT $5";

/// At most `limit` of the projects that a person sees, by name, behind one of them.
pub async fn page_for(
    t: &Tx<'_>,
    (workspace, user): (WorkspaceId, UserId),
    behind: ByName,
    limit: i64,
) -> Result<Vec<Seen>> {
    let (workspace, user) = (workspace.to_string(), user.to_string());
    t.all(PAGE_FOR, &[&workspace, &user, &behind.name, &behind.id, &limit]).await
}

const IS_IN: &str = "SELECT id FROM project WHERE id = $1 AND workspace_id = $2";

/// Whether there is such a project in this workspace.
pub async fn is_in(t: &Tx<'_>, project: ProjectId, workspace: WorkspaceId) -> Result<bool> {
    t.any(IS_IN, &[&project.to_string(), &workspace.to_string()]).await
}

const FIND_MEMBER: &str = "SELECT {cols} FROM project_member WHERE project_id = $1 AND user_id = $2";

/// The person's own role in the project, if they have one.
pub async fn find_member(t: &Tx<'_>, project: ProjectId, user: UserId) -> Result<Option<ProjectMember>> {
    t.opt(FIND_MEMBER, &[&project.to_string(), &user.to_string()]).await
}

const LIST_MEMBERS: &str = "SELECT p.id, p.name, p.mail, pm.role FROM project_member pm \
    JOIN person p ON p.id = pm.user_id WHERE pm.project_id = $1 AND (p.name, p.id) > ($2, $3) \
    ORDER BY p.name, p.id LIMIT $4";

/// One member of a project: id, name, mail address, role in it.
pub type MemberSeen = (String, String, String, String);

/// At most `limit` members of a project, by name, behind one of them.
pub async fn list_members(
    t: &Tx<'_>,
    project: ProjectId,
    behind: ByName,
    limit: i64,
) -> Result<Vec<MemberSeen>> {
    t.all(LIST_MEMBERS, &[&project.to_string(), &behind.name, &behind.id, &limit]).await
}

const SAVE_ROLE: &str = "UPDATE project_member SET role = $4 \
    WHERE project_id = $1 AND user_id = $2 AND role = $3 RETURNING user_id";

/// Changes a role from the one that was seen.
pub async fn save_role(
    t: &Tx<'_>,
    (project, user): (ProjectId, UserId),
    seen: MemberRole,
    role: MemberRole,
) -> Result<Saved> {
    let (project, user) = (project.to_string(), user.to_string());
    let done: Option<(String,)> =
        t.opt(SAVE_ROLE, &[&project, &user, &seen.as_str(), &role.as_str()]).await?;
    Saved::sort(t, done.map(|_| ()), FIND_MEMBER_KEY, &[&project, &user]).await
}

const FIND_MEMBER_KEY: &str = "SELECT user_id FROM project_member WHERE project_id = $1 AND user_id = $2";

const REMOVE_MEMBER: &str = "DELETE FROM project_member WHERE project_id = $1 AND user_id = $2";

/// Takes a person off a project.
pub async fn remove_member(t: &Tx<'_>, project: ProjectId, user: UserId) -> Result<Removed> {
    t.exec(REMOVE_MEMBER, &[&project.to_string(), &user.to_string()]).await.map(Removed::of)
}
