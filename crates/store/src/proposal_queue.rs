//! The queue: proposals with the names that a person reads, and the roles that decide who may decide.

use countersign_core::id::{UserId, WorkspaceId};

use crate::{ByTime, FromRow, Result, Row, Tx};

/// One line of the queue, with what is needed to say whether the person may decide it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueLine {
    /// The proposal.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Where it stands.
    pub status: String,
    /// The name of the repository.
    pub repository: String,
    /// The branch.
    pub branch: String,
    /// The display name of the connection.
    pub agent: String,
    /// The person behind the connection.
    pub owner_id: String,
    /// Their name.
    pub owner: String,
    /// The paths of its files, in their order.
    pub paths: Vec<String>,
    /// When it was made.
    pub created_at: i64,
    /// When it expires.
    pub expires_at: i64,
    /// When it was decided or ended.
    pub ended_at: Option<i64>,
    /// The person's place in the workspace.
    pub workspace_role: Option<String>,
    /// Their role in the project.
    pub project_role: Option<String>,
    /// Their override on the repository.
    pub repository_role: Option<String>,
    /// The repository's protected branches, a JSON list.
    pub protected_branches: String,
    /// Its protected paths, a JSON list.
    pub protected_paths: String,
    /// Since when another person must decide.
    pub other_decider: Option<i64>,
}

impl FromRow for QueueLine {
    const COLS: &'static str = "p.id, p.title, p.status, g.name, p.branch, c.name, c.user_id, o.name, \
        (SELECT string_agg(f.path, '//') FROM (SELECT path FROM proposal_file WHERE proposal_id = p.id \
        ORDER BY position) f), p.created_at, p.expires_at, \
        COALESCE(p.finished_at, p.decided_at), wm.role, pm.role, rm.role, g.protected_branches, g.protected_paths, \
        g.other_decider";

    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.take()?,
            title: row.take()?,
            status: row.take()?,
            repository: row.take()?,
            branch: row.take()?,
            agent: row.take()?,
            owner_id: row.take()?,
            owner: row.take()?,
            paths: paths(row.take::<Option<String>>()?.as_deref()),
            created_at: row.take()?,
            expires_at: row.take()?,
            ended_at: row.take()?,
            workspace_role: row.take()?,
            project_role: row.take()?,
            repository_role: row.take()?,
            protected_branches: row.take()?,
            protected_paths: row.take()?,
            other_decider: row.take()?,
        })
    }
}

/// The paths of a line come joined by what no path holds: an empty part.
fn paths(joined: Option<&str>) -> Vec<String> {
    joined.map(|joined| joined.split("//").map(str::to_owned).collect()).unwrap_or_default()
}

macro_rules! queue_sql {
    ($rest:literal) => {
        queue_sql!("{cols}", $rest)
    };
    ($cols:literal, $rest:literal) => {
        concat!(
            "SELECT ", $cols, " FROM proposal p JOIN repository g ON g.id = p.repository_id ",
            "JOIN resource r ON r.id = p.repository_id JOIN connection c ON c.id = p.connection_id ",
            "JOIN person o ON o.id = c.user_id ",
            "JOIN workspace_member wm ON wm.workspace_id = p.workspace_id AND wm.user_id = $2 ",
            "LEFT JOIN project_member pm ON pm.project_id = r.project_id AND pm.user_id = $2 ",
            "LEFT JOIN repository_member rm ON rm.repository_id = g.id AND rm.user_id = $2 ",
            "WHERE p.workspace_id = $1 AND (wm.role = 'owner' OR pm.role IS NOT NULL OR rm.role IS NOT NULL) AND ",
            $rest
        )
    };
}

const WAITING: &str = queue_sql!(
    "p.status IN ('pending', 'failed', 'executing') AND ($3 = '' OR p.status = $3) \
     AND (p.expires_at, p.id) > ($4, $5) ORDER BY p.expires_at, p.id LIMIT $6"
);

/// At most `limit` of what waits for a person and, unless it is empty, has this status: the one that expires first on
/// top, behind one of them.
pub async fn waiting(
    t: &Tx<'_>,
    (workspace, person): (WorkspaceId, UserId),
    status: &str,
    behind: &ByTime,
    limit: i64,
) -> Result<Vec<QueueLine>> {
    let (workspace, person) = (workspace.to_string(), person.to_string());
    t.all(WAITING, &[&workspace, &person, &status, &behind.at, &behind.id, &limit]).await
}

const ENDED: &str = queue_sql!(
    "p.status NOT IN ('pending', 'failed', 'executing') AND ($3 = '' OR p.status = $3) \
     AND (p.finished_at, p.id) < ($4, $5) ORDER BY p.finished_at DESC, p.id DESC LIMIT $6"
);

/// The same of what was decided or ended, the latest on top.
pub async fn ended(
    t: &Tx<'_>,
    (workspace, person): (WorkspaceId, UserId),
    status: &str,
    behind: &ByTime,
    limit: i64,
) -> Result<Vec<QueueLine>> {
    let (workspace, person) = (workspace.to_string(), person.to_string());
    t.all(ENDED, &[&workspace, &person, &status, &behind.at, &behind.id, &limit]).await
}

const ONE: &str = queue_sql!("p.id = $3");

/// One line, when the person may see it.
pub async fn one(
    t: &Tx<'_>,
    workspace: WorkspaceId,
    person: UserId,
    proposal: &str,
) -> Result<Option<QueueLine>> {
    t.opt(ONE, &[&workspace.to_string(), &person.to_string(), &proposal]).await
}

const IDS: &str =
    queue_sql!("p.id", "p.status IN ('pending', 'failed', 'executing') ORDER BY p.expires_at, p.id LIMIT $3");

/// The ids alone of what waits for a person, in the order of the queue.
pub async fn waiting_ids(
    t: &Tx<'_>,
    workspace: WorkspaceId,
    person: UserId,
    limit: i64,
) -> Result<Vec<String>> {
    let ids: Vec<(String,)> = t.all(IDS, &[&workspace.to_string(), &person.to_string(), &limit]).await?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}
