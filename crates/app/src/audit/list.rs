//! A page of the audit log, for owners of the workspace.

use countersign_core::audit::SEAL_ID_WIDTH;
use countersign_core::caller::Caller;
use countersign_core::id::{ResourceId, WorkspaceId};
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::Tx;
use countersign_store::audit::{Audit, Cursor};
use countersign_store::audit_page::{self, Reach};

use super::view::{Named, PageView, RecordView};
use super::{Filter, Mark, Turn};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};

pub(super) const LIST: Action =
    Action { name: "audit.list", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How many records a page holds.
pub const PAGE: usize = 50;
/// How many records a filter looks through for one page.
const WINDOW: i64 = 20_000;

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Which records.
    pub filter: Filter,
    /// From where on.
    pub turn: Turn,
}

/// A page of at most `limit` records of the log of the caller's workspace, the newest on top.
pub async fn list(app: &App, caller: &Caller, listing: Listing, limit: usize) -> Result<PageView, Problem> {
    gate::through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::workspace(listing)) }),
        |permit| run(app, permit, limit),
    )
    .await
}

async fn run(app: &App, permit: Permit<Listing>, limit: usize) -> Result<PageView, Problem> {
    // The records of calls follow within a second; a person who looks sees them all.
    app.journal.flush().await;
    let (workspace, listing) = (permit.workspace(), permit.target().clone());
    app.db.read(move |t| Box::pin(async move { page(t, workspace, &listing, limit).await })).await
}

/// Reads a page of at most `limit` records.
pub(super) async fn page(
    t: &Tx<'_>,
    workspace: WorkspaceId,
    listing: &Listing,
    limit: usize,
) -> Result<PageView, Problem> {
    // One more than is shown tells whether there are more.
    let reach = Reach { limit: i64::try_from(limit + 1).unwrap_or(i64::MAX), window: WINDOW };
    let turn = listing.turn.stored();
    let found = audit_page::page(t, workspace, &listing.filter.stored(), &turn, reach).await?;
    let more = found.records.len() > limit;
    let mut records: Vec<RecordView> = found.records.into_iter().take(limit).map(view).collect();
    let mark = |record: Option<&RecordView>| record.map(RecordView::mark);
    let end = found.window_end.map(Mark::from).filter(|_| !more);
    let beyond = if more { mark(records.last()) } else { end.clone() };
    Ok(match listing.turn {
        Turn::Newer(_) => {
            records.reverse();
            let (older, newer) = (mark(records.last()), beyond.and_then(|_| mark(records.first()).or(end)));
            PageView { records, older, newer, looked_back_to: None }
        }
        Turn::Newest | Turn::Older(_) => {
            let turned = matches!(listing.turn, Turn::Older(_));
            let newer = mark(records.first()).filter(|_| turned);
            PageView { looked_back_to: end.as_ref().map(Mark::moment), records, older: beyond, newer }
        }
    })
}

fn view(row: audit_page::Named) -> RecordView {
    let audit_page::Named { record, person, connection, resource, resource_kind } = row;
    let Audit { id, at, actor_kind, actor_id, connection_id, action, .. } = record;
    let Audit { resource_id, outcome, code, detail, seal_id, .. } = record;
    let named = |id: Option<String>, name| id.map(|id| Named { id, name });
    let is_repository = resource_kind.as_deref() == Some("gitnest_repository");
    let repository =
        resource_id.as_deref().filter(|_| is_repository).and_then(|id| ResourceId::parse(id).ok());
    RecordView {
        id,
        at: Timestamp::from_millis(at),
        actor_kind,
        actor: named(actor_id, person),
        connection: named(connection_id, connection),
        action,
        resource: named(resource_id, resource),
        repository,
        outcome,
        code,
        detail,
        seal: seal_id.filter(|id| id.len() == SEAL_ID_WIDTH).and_then(|id| id.parse().ok()),
    }
}

impl RecordView {
    fn mark(&self) -> Mark {
        Cursor { at: self.at.millis(), id: self.id.clone() }.into()
    }
}
