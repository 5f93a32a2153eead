//! Roles on one repository, which count instead of those in its project.

use countersign_core::id::{ResourceId, UserId};
use countersign_core::role::MemberRole;

use crate::{ByName, Result, Saved, Tx, record};

record! {
    /// A person's role on one repository.
    pub struct RepositoryMember in "repository_member" {
        /// The repository.
        repository_id: String,
        /// The person.
        user_id: String,
        /// `viewer`, `editor`, `maintainer` or `owner`.
        role: String,
        /// Since when, in milliseconds.
        created_at: i64,
    }
}

const LIST: &str = "SELECT p.id, p.name, p.mail, wm.role, pm.role, rm.role FROM resource r \
    JOIN workspace_member wm ON wm.workspace_id = r.workspace_id \
    JOIN person p ON p.id = wm.user_id \
    LEFT JOIN project_member pm ON pm.project_id = r.project_id AND pm.user_id = wm.user_id \
    LEFT JOIN repository_member rm ON rm.repository_id = r.id AND rm.user_id = wm.user_id \
    WHERE r.id = $1 AND (wm.role = 'owner' OR pm.role IS NOT NULL OR rm.role IS NOT NULL) \
    AND (p.name, p.id) > ($2, $3) ORDER BY p.name, p.id LIMIT $4";

/// Somebody with a role on a repository: id, name, mail address, their place in the workspace, their role in the
/// project, their role on the repository itself.
pub type Standing = (String, String, String, String, Option<String>, Option<String>);

/// At most `limit` of those with a role on a repository, by name, behind one of them.
pub async fn list(t: &Tx<'_>, repository: ResourceId, behind: ByName, limit: i64) -> Result<Vec<Standing>> {
    t.all(LIST, &[&repository.to_string(), &behind.name, &behind.id, &limit]).await
}

const FIND: &str = "SELECT {cols} FROM repository_member WHERE repository_id = $1 AND user_id = $2";

/// The person's own role on the repository, if they have one.
pub async fn find(t: &Tx<'_>, repository: ResourceId, user: UserId) -> Result<Option<RepositoryMember>> {
    t.opt(FIND, &[&repository.to_string(), &user.to_string()]).await
}

const FIND_KEY: &str = "SELECT user_id FROM repository_member WHERE repository_id = $1 AND user_id = $2";
const SAVE_ROLE: &str = "UPDATE repository_member SET role = $4 \
    WHERE repository_id = $1 AND user_id = $2 AND role = $3 RETURNING user_id";

/// Changes a role from the one that was seen.
pub async fn save_role(
    t: &Tx<'_>,
    (repository, user): (ResourceId, UserId),
    seen: MemberRole,
    role: MemberRole,
) -> Result<Saved> {
    let (repository, user) = (repository.to_string(), user.to_string());
    let done: Option<(String,)> =
        t.opt(SAVE_ROLE, &[&repository, &user, &seen.as_str(), &role.as_str()]).await?;
    Saved::sort(t, done.map(|_| ()), FIND_KEY, &[&repository, &user]).await
}

const REMOVE: &str = "DELETE FROM repository_member \
    WHERE repository_id = $1 AND user_id = $2 AND role = $3 RETURNING user_id";

/// Takes away the role that was seen.
pub async fn remove(t: &Tx<'_>, (repository, user): (ResourceId, UserId), seen: MemberRole) -> Result<Saved> {
    let (repository, user) = (repository.to_string(), user.to_string());
    let done: Option<(String,)> = t.opt(REMOVE, &[&repository, &user, &seen.as_str()]).await?;
    Saved::sort(t, done.map(|_| ()), FIND_KEY, &[&repository, &user]).await
}
