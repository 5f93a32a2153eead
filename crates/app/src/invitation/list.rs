//! The open invitations, for the workspace's owners.

use countersign_core::caller::Caller;
use countersign_core::problem::Problem;
use countersign_core::scope::TokenScope;
use countersign_store::invitation;

use super::create::view;
use super::view::InvitationView;
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Permit, through};

const LIST: Action =
    Action { name: "invitation.list", need: Need::Person(TokenScope::Api), effect: Effect::Read };

/// How many are shown.
const LIMIT: i64 = 100;

/// The newest hundred that nobody has used, that were not taken back, and that are not over.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<InvitationView>, Problem> {
    through(app, caller, LIST, |_| Box::pin(async { Ok(Found::workspace(())) }), |permit| read(app, permit))
        .await
}

async fn read(app: &App, permit: Permit<()>) -> Result<Vec<InvitationView>, Problem> {
    let (workspace, now) = (permit.workspace(), permit.at());
    let rows = app.db.read(move |t| Box::pin(invitation::list_open(t, workspace, now, LIMIT))).await;
    rows.map_err(Problem::from)?.iter().map(view).collect()
}
