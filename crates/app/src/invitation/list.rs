//! The open invitations, for the workspace's owners.

use countersign_core::caller::Caller;
use countersign_core::page::{Cursor, Part, Slice};
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;
use countersign_store::{ByTime, invitation};

use super::create::view;
use super::view::InvitationView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Permit, through};
use crate::page::newest_first;

const LIST: Action =
    Action { name: "invitation.list", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How many are shown.
const LIMIT: i64 = 100;

/// The newest hundred that nobody has used, that were not taken back, and that are not over.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<InvitationView>, Problem> {
    through(app, caller, LIST, |_| Box::pin(async { Ok(Found::workspace(())) }), |permit| read(app, permit))
        .await
}

/// A page of all of them, the newest on top, behind one of them.
pub async fn page(app: &App, caller: &Caller, part: Part) -> Result<Slice<InvitationView>, Problem> {
    through(
        app,
        caller,
        LIST,
        move |_| Box::pin(async move { Ok(Found::workspace((newest_first(&part)?, part))) }),
        |permit| async move {
            let (permit, (behind, part)) = permit.with(());
            let rows = rows(app, &permit, behind, part.rows()).await?;
            Ok(part.cut(rows, |row| Cursor::new(&row.created_at.millis(), &row.id)))
        },
    )
    .await
}

async fn read(app: &App, permit: Permit<()>) -> Result<Vec<InvitationView>, Problem> {
    rows(app, &permit, ByTime::newest(), LIMIT).await
}

async fn rows(
    app: &App,
    permit: &Permit<()>,
    behind: ByTime,
    limit: i64,
) -> Result<Vec<InvitationView>, Problem> {
    let (workspace, now) = (permit.workspace(), permit.at());
    let rows = app.db.read(move |t| Box::pin(invitation::list_open(t, workspace, now, behind, limit))).await;
    rows.map_err(Problem::from)?.iter().map(view).collect()
}
