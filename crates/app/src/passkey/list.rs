//! The caller's passkeys.

use countersign_core::caller::Caller;
use countersign_core::id::PasskeyId;
use countersign_core::problem::Problem;
use countersign_core::time::Timestamp;
use countersign_store::passkey::{self, Passkey};

use super::view::{Kept, PasskeyView};
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Permit, through};

const LIST: Action = Action { name: "passkey.list", need: Need::Browser, effect: Effect::Read };

/// More than anybody may have.
const LIMIT: i64 = 100;

/// The caller's own passkeys, the oldest on top.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<PasskeyView>, Problem> {
    through(app, caller, LIST, |_| Box::pin(async { Ok(Found::own(())) }), |permit| read(app, permit)).await
}

async fn read(app: &App, permit: Permit<()>) -> Result<Vec<PasskeyView>, Problem> {
    let user = permit.person()?;
    let rows = app.db.read(move |t| Box::pin(passkey::list_of(t, user, LIMIT))).await;
    rows.map_err(Problem::from)?.into_iter().map(view).collect()
}

fn view(row: Passkey) -> Result<PasskeyView, Problem> {
    Ok(PasskeyView {
        id: PasskeyId::parse(&row.id).map_err(Problem::internal)?,
        name: row.name,
        created_at: Timestamp::from_millis(row.created_at),
        used_at: row.used_at.map(Timestamp::from_millis),
        kept: if row.synced_at.is_some() { Kept::Provider } else { Kept::Device },
        refused_at: row.refused_at.map(Timestamp::from_millis),
    })
}
