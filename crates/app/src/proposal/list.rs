//! What the calling connection proposed, a page at a time.

use countersign_core::caller::Caller;
use countersign_core::problem::{Code, Problem};
use countersign_core::proposal::ProposalState;
use countersign_core::scope::Scope;
use countersign_core::time::Timestamp;
use countersign_store::proposal::list_of_connection;
use serde::Serialize;

use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Permit};

/// The action, named as its tool.
pub const LIST_MINE: Action =
    Action { name: "list_my_proposals", need: Need::Agent(Scope::Read), effect: Effect::Read };

/// Which page is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Only those that stand here.
    pub status: Option<ProposalState>,
    /// How many to skip.
    pub offset: usize,
    /// How many to give, at most 50.
    pub limit: usize,
}

/// A page of proposals.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Proposals {
    /// The items, newest first.
    pub items: Vec<Item>,
    /// Where the next page begins; null on the last one.
    pub next_offset: Option<usize>,
}

/// One proposal in a list.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Item {
    /// Its id.
    pub id: String,
    /// What it would do.
    pub kind: String,
    /// Its first line.
    pub title: String,
    /// Where it stands.
    pub status: String,
    /// The repository.
    pub repository_id: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was decided.
    pub decided_at: Option<Timestamp>,
}

/// A page of the proposals of the calling connection, newest first.
pub async fn list_mine(app: &App, caller: &Caller, page: Page) -> Result<Proposals, Problem> {
    gate::through(
        app,
        caller,
        LIST_MINE,
        move |_| Box::pin(async move { Ok(Found::own(page)) }),
        |permit| run(app, permit),
    )
    .await
}

async fn run(app: &App, permit: Permit<Page>) -> Result<Proposals, Problem> {
    let page = *permit.target();
    let connection = permit
        .caller()
        .connection()
        .ok_or_else(|| Problem::new(Code::Unauthenticated, "Only a connection has proposals."))?;
    let limit = page.limit.clamp(1, 50);
    let (rows, skip) =
        (i64::try_from(limit + 1).unwrap_or(51), i64::try_from(page.offset).unwrap_or(i64::MAX));
    let mut lines = app
        .db
        .read(move |t| {
            Box::pin(async move {
                Ok::<_, Problem>(list_of_connection(t, connection, page.status, rows, skip).await?)
            })
        })
        .await?;
    let more = lines.len() > limit;
    lines.truncate(limit);
    let items = lines.into_iter().map(|line| Item {
        id: line.id,
        kind: line.kind,
        title: line.title,
        status: line.status,
        repository_id: line.repository_id,
        created_at: Timestamp::from_millis(line.created_at),
        decided_at: line.decided_at.map(Timestamp::from_millis),
    });
    Ok(Proposals { items: items.collect(), next_offset: more.then_some(page.offset.saturating_add(limit)) })
}
