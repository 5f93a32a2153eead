//! The audit log as a file: every record that a filter lets through, page by page.

use countersign_core::caller::Caller;
use countersign_core::id::WorkspaceId;
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;

use super::list::{Listing, page};
use super::view::RecordView;
use super::{Filter, Turn};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need};

const EXPORT: Action =
    Action { name: "audit.export", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How many records are in memory at once.
const PIECE: usize = 500;

/// An export under way. Whoever holds it passed the gate.
pub struct Export {
    app: App,
    workspace: WorkspaceId,
    /// Where it goes on; none once it is over.
    next: Option<Listing>,
}

/// Begins an export of the log of the caller's workspace, the newest record first; for its owners.
pub async fn export(app: &App, caller: &Caller, filter: Filter) -> Result<Export, Problem> {
    let begin = |workspace, filter| {
        let next = Some(Listing { filter, turn: Turn::Newest });
        Export { app: app.clone(), workspace, next }
    };
    gate::through(
        app,
        caller,
        EXPORT,
        move |_| Box::pin(async move { Ok(Found::workspace(filter)) }),
        |permit| async move {
            app.journal.flush().await;
            Ok(begin(permit.workspace(), permit.target().clone()))
        },
    )
    .await
}

impl Export {
    /// The next records, perhaps none in what was looked through; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<RecordView>>, Problem> {
        let Some(listing) = self.next.take() else { return Ok(None) };
        let (workspace, asked) = (self.workspace, listing.clone());
        let read =
            self.app.db.read(move |t| Box::pin(async move { page(t, workspace, &asked, PIECE).await }));
        let found = read.await?;
        self.next = found.older.map(|mark| Listing { turn: Turn::Older(mark), ..listing });
        Ok(Some(found.records))
    }
}
