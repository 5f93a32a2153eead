//! What the pages of repositories show beside Git: names around a repository, and the list by project.

use countersign_core::id::{ResourceId, UserId, WorkspaceId};

use crate::project::Window;
use crate::{Result, Tx};

const BESIDE: &str = "SELECT p.name, w.slug FROM resource r JOIN project p ON p.id = r.project_id \
    JOIN workspace w ON w.id = r.workspace_id WHERE r.id = $1";

/// The name of the project that a repository is in, and the slug of its workspace.
pub async fn beside(t: &Tx<'_>, id: ResourceId) -> Result<Option<(String, String)>> {
    t.opt(BESIDE, &[&id.to_string()]).await
}

const LIST: &str = "SELECT g.id, g.name, p.name, g.gitnest_on_at, g.default_branch FROM repository g \
    JOIN resource r ON r.id = g.id JOIN project p ON p.id = r.project_id \
    JOIN workspace_member wm ON wm.workspace_id = g.workspace_id AND wm.user_id = $2 \
    LEFT JOIN project_member pm ON pm.project_id = r.project_id AND pm.user_id = $2 \
    LEFT JOIN repository_member rm ON rm.repository_id = g.id AND rm.user_id = $2 \
    WHERE g.workspace_id = $1 AND g.ready_at IS NOT NULL AND g.name_key LIKE $3 ESCAPE '!' \
    AND (wm.role = 'owner' OR pm.role IS NOT NULL OR rm.role IS NOT NULL) \
    ORDER BY p.name, p.id, g.name_key, g.id LIMIT $4 OFFSET $5";

/// A repository in the list: id, name, name of its project, since when GitNest is on, default branch.
pub type Listed = (String, String, String, Option<i64>, String);

/// The repositories that a person sees and whose name holds `part`, by project.
pub async fn list(
    t: &Tx<'_>,
    (workspace, person): (WorkspaceId, UserId),
    part: &str,
    window: Window,
) -> Result<Vec<Listed>> {
    let (workspace, person, like) = (workspace.to_string(), person.to_string(), like(part));
    t.all(LIST, &[&workspace, &person, &like, &window.limit, &window.offset]).await
}

/// The pattern that finds `part` anywhere and takes none of its characters for more than itself.
fn like(part: &str) -> String {
    let mut pattern = String::from("%");
    for c in part.to_lowercase().chars() {
        if matches!(c, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_no_pattern() {
        assert_eq!(like("A_b%!"), "%a!_b!%!!%");
        assert_eq!(like(""), "%%");
    }
}
