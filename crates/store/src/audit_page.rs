//! What owners read of the audit log: records with the names of what they name, filtered, in pages.

use countersign_core::id::WorkspaceId;

use crate::audit::{Audit, Cursor};
use crate::{FromRow, Result, Row, Tx};

/// A record with names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The record.
    pub record: Audit,
    /// The name of the person behind the call.
    pub person: Option<String>,
    /// The name of the connection.
    pub connection: Option<String>,
    /// The name of the resource.
    pub resource: Option<String>,
    /// What kind of resource it is.
    pub resource_kind: Option<String>,
}

impl FromRow for Named {
    const COLS: &'static str = "a.id, a.workspace_id, a.at, a.actor_kind, a.actor_id, a.connection_id, a.action, \
        a.resource_id, a.outcome, a.code, a.detail, a.seal_id, p.name, c.name, r.name, r.kind";
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        Ok(Self {
            record: Audit::from_row(row)?,
            person: row.take()?,
            connection: row.take()?,
            resource: row.take()?,
            resource_kind: row.take()?,
        })
    }
}

/// Which records: empty text asks for everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// What the action begins with.
    pub action: String,
    /// The person behind the call.
    pub actor: String,
    /// The connection that called.
    pub connection: String,
    /// The resource.
    pub resource: String,
    /// How it ended.
    pub outcome: String,
    /// The code of the refusal.
    pub code: String,
    /// What stands anywhere in the record or in a name, small and large letters of ASCII alike.
    pub text: String,
    /// Not before this moment, in milliseconds.
    pub from: Option<i64>,
    /// Before this moment, in milliseconds.
    pub until: Option<i64>,
}

impl Filter {
    /// Whether it lets every record of its span of time through.
    pub fn is_open(&self) -> bool {
        let Self { action, actor, connection, resource, outcome, code, text, from: _, until: _ } = self;
        [action, actor, connection, resource, outcome, code, text].iter().all(|wanted| wanted.is_empty())
    }
}

/// From where, and which way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// What is older than this.
    Older(Cursor),
    /// What is newer than this.
    Newer(Cursor),
}

/// How far a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// How many records it holds at most.
    pub limit: i64,
    /// How many records are looked through at most, whether or not the filter lets them through.
    pub window: i64,
}

/// A page in the order of its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The records that the filter lets through.
    pub records: Vec<Named>,
    /// The last record that was looked through, when the window ended before the log did.
    pub window_end: Option<Cursor>,
}

/// The tables with the names, and the filter. What is looked through is cut before that, so that a filter that lets
/// little through does not read the whole log.
macro_rules! filtered {
    ($window:literal, $order:literal, $outer:literal) => {
        concat!(
            "SELECT {cols} FROM (SELECT id, workspace_id, at, actor_kind, actor_id, connection_id, action, resource_id, \
             outcome, code, detail, seal_id FROM audit WHERE workspace_id = $1 AND (at, id) ",
            $window,
            " ($2, $3) AND at >= $4 AND at < $5 ORDER BY ",
            $order,
            " LIMIT $6) a \
             LEFT JOIN person p ON p.id = a.actor_id \
             LEFT JOIN connection c ON c.id = a.connection_id AND c.workspace_id = a.workspace_id \
             LEFT JOIN resource r ON r.id = a.resource_id AND r.workspace_id = a.workspace_id \
             WHERE ($7 = '' OR substr(a.action, 1, length($7)) = $7) AND ($8 = '' OR a.actor_id = $8) \
             AND ($9 = '' OR a.connection_id = $9) AND ($10 = '' OR a.resource_id = $10) \
             AND ($11 = '' OR a.outcome = $11) AND ($12 = '' OR a.code = $12) \
             AND ($13 = '' OR lower(a.action || ' ' || a.detail || ' ' || COALESCE(a.code, '') || ' ' || \
               COALESCE(p.name, '') || ' ' || COALESCE(c.name, '') || ' ' || COALESCE(r.name, '')) \
               LIKE $13 ESCAPE '!') \
             ORDER BY ",
            $outer,
            " LIMIT $14"
        )
    };
}

const OLDER: &str = filtered!("<", "at DESC, id DESC", "a.at DESC, a.id DESC");
const NEWER: &str = filtered!(">", "at, id", "a.at, a.id");

macro_rules! window_end {
    ($window:literal, $order:literal) => {
        concat!(
            "SELECT at, id FROM audit WHERE workspace_id = $1 AND (at, id) ",
            $window,
            " ($2, $3) AND at >= $4 AND at < $5 ORDER BY ",
            $order,
            " LIMIT 1 OFFSET $6"
        )
    };
}

const OLDER_END: &str = window_end!("<", "at DESC, id DESC");
const NEWER_END: &str = window_end!(">", "at, id");

/// A page of a workspace's log.
pub async fn page(
    t: &Tx<'_>,
    workspace: WorkspaceId,
    filter: &Filter,
    turn: &Turn,
    reach: Reach,
) -> Result<Page> {
    let (sql, end, cursor) = match turn {
        Turn::Older(cursor) => (OLDER, OLDER_END, cursor),
        Turn::Newer(cursor) => (NEWER, NEWER_END, cursor),
    };
    // Without a filter a record that is looked through is one that is shown.
    let window = if filter.is_open() { reach.limit } else { reach.window };
    let workspace = workspace.to_string();
    let (from, until) = (filter.from.unwrap_or(i64::MIN), filter.until.unwrap_or(i64::MAX));
    let text = pattern(&filter.text);
    let records = t
        .all(
            sql,
            &[
                &workspace,
                &cursor.at,
                &cursor.id,
                &from,
                &until,
                &window,
                &filter.action,
                &filter.actor,
                &filter.connection,
                &filter.resource,
                &filter.outcome,
                &filter.code,
                &text,
                &reach.limit,
            ],
        )
        .await?;
    let last = window.saturating_sub(1);
    let ended: Option<(i64, String)> = if filter.is_open() {
        None
    } else {
        t.opt(end, &[&workspace, &cursor.at, &cursor.id, &from, &until, &last]).await?
    };
    Ok(Page { records, window_end: ended.map(|(at, id)| Cursor { at, id }) })
}

/// A pattern that finds the text anywhere; its own signs stand for themselves.
fn pattern(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let text = text.to_ascii_lowercase().replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{text}%")
}

const PEOPLE: &str = "SELECT p.id, p.name FROM workspace_member m JOIN person p ON p.id = m.user_id \
    WHERE m.workspace_id = $1 ORDER BY p.name, p.id LIMIT $2";
const CONNECTIONS: &str =
    "SELECT id, name FROM connection WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2";
const RESOURCES: &str = "SELECT id, name FROM resource WHERE workspace_id = $1 ORDER BY name, id LIMIT $2";

/// What a filter may name, each by id and name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The people of the workspace, by name.
    pub people: Vec<(String, String)>,
    /// Its connections, the latest first.
    pub connections: Vec<(String, String)>,
    /// Its resources, by name.
    pub resources: Vec<(String, String)>,
}

/// What a filter of this workspace may name, at most `limit` of each.
pub async fn choices(t: &Tx<'_>, workspace: WorkspaceId, limit: i64) -> Result<Choices> {
    let workspace = workspace.to_string();
    Ok(Choices {
        people: t.all(PEOPLE, &[&workspace, &limit]).await?,
        connections: t.all(CONNECTIONS, &[&workspace, &limit]).await?,
        resources: t.all(RESOURCES, &[&workspace, &limit]).await?,
    })
}
