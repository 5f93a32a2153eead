//! The audit log: who did what, to what, and how it ended. Rows are only added.

use countersign_core::id::{ConnectionId, WorkspaceId};

use crate::{Result, Tx, record};

record! {
    /// One record of the audit log.
    pub struct Audit in "audit" {
        /// Its id.
        id: String,
        /// The tenant, when there is one.
        workspace_id: Option<String>,
        /// When, in milliseconds.
        at: i64,
        /// `anonymous`, `connection`, `user` or `server`.
        actor_kind: String,
        /// The person behind the call.
        actor_id: Option<String>,
        /// The connection that called.
        connection_id: Option<String>,
        /// The tool, or `noun.verb`.
        action: String,
        /// What it acted on.
        resource_id: Option<String>,
        /// `done` or `refused`.
        outcome: String,
        /// The code of a refusal.
        code: Option<String>,
        /// More facts, a JSON object.
        detail: String,
        /// The seal that covers this row, once it is sealed.
        seal_id: Option<String>,
    }
}

/// Where a page begins: behind the last record of the page before. Records of one moment are in the order of
/// their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The moment of that record, in milliseconds.
    pub at: i64,
    /// Its id.
    pub id: String,
}

impl Cursor {
    /// Before the newest record.
    pub fn newest() -> Self {
        Self { at: i64::MAX, id: String::new() }
    }
}

impl From<&Audit> for Cursor {
    fn from(record: &Audit) -> Self {
        Self { at: record.at, id: record.id.clone() }
    }
}

const OF_CONNECTION: &str = "SELECT {cols} FROM audit WHERE connection_id = $1 AND (at, id) < ($2, $3)
    ORDER BY at DESC, id DESC LIMIT $4";

/// What a connection did, newest first, at most `limit` records behind the cursor.
pub async fn of_connection(t: &Tx<'_>, id: ConnectionId, behind: &Cursor, limit: i64) -> Result<Vec<Audit>> {
    t.all(OF_CONNECTION, &[&id.to_string(), &behind.at, &behind.id, &limit]).await
}

const OF_WORKSPACE: &str = "SELECT {cols} FROM audit WHERE workspace_id = $1 AND (at, id) < ($2, $3)
    ORDER BY at DESC, id DESC LIMIT $4";

/// What was done in a workspace, newest first, at most `limit` records behind the cursor.
pub async fn of_workspace(t: &Tx<'_>, id: WorkspaceId, behind: &Cursor, limit: i64) -> Result<Vec<Audit>> {
    t.all(OF_WORKSPACE, &[&id.to_string(), &behind.at, &behind.id, &limit]).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::house::House;
    use crate::{Db, both};

    const CONNECTION: &str = "01900000-0000-7000-8000-00000000c001";

    fn record(house: House, number: i64, connection: Option<&str>) -> Audit {
        Audit {
            id: format!("01900000-0000-7000-8000-{number:012}"),
            workspace_id: Some(house.workspace.to_string()),
            // Three share a moment, so that the order within one is tried as well.
            at: 1000 + number / 3,
            actor_kind: "connection".to_owned(),
            actor_id: Some(house.person.to_string()),
            connection_id: connection.map(str::to_owned),
            action: "repository.read".to_owned(),
            resource_id: None,
            outcome: "done".to_owned(),
            code: None,
            detail: "{}".to_owned(),
            seal_id: None,
        }
    }

    async fn keep(db: &Db, records: Vec<Audit>) {
        let kept: Result<()> = db
            .write(move |t| {
                Box::pin(async move {
                    for record in &records {
                        record.insert(t).await?;
                    }
                    Ok(())
                })
            })
            .await;
        kept.unwrap();
    }

    both!(a_workspace_is_paged_newest_first_without_gap_or_repetition, db, {
        let (house, other) = (House::build(&db).await, House::build_numbered(&db, 2).await);
        let records: Vec<_> = (0..10).map(|number| record(house, number, None)).collect();
        keep(&db, records.clone()).await;
        keep(&db, vec![record(other, 11, None)]).await;
        let (mut seen, mut cursor) = (Vec::new(), Cursor::newest());
        loop {
            let page: Result<_> = db
                .read(move |t| Box::pin(async move { of_workspace(t, house.workspace, &cursor, 4).await }))
                .await;
            let page = page.unwrap();
            let Some(last) = page.last() else { break };
            cursor = last.into();
            seen.extend(page);
        }
        assert_eq!(seen, records.into_iter().rev().collect::<Vec<_>>());
    });

    both!(a_connection_shows_only_what_it_did, db, {
        let house = House::build(&db).await;
        let mine = vec![record(house, 1, Some(CONNECTION)), record(house, 3, Some(CONNECTION))];
        keep(&db, mine.clone()).await;
        keep(&db, vec![record(house, 2, None)]).await;
        let id = ConnectionId::parse(CONNECTION).unwrap();
        let page: Result<_> = db
            .read(move |t| Box::pin(async move { of_connection(t, id, &Cursor::newest(), 10).await }))
            .await;
        assert_eq!(page.unwrap(), mine.into_iter().rev().collect::<Vec<_>>());
    });
}
