//! Where else a person is signed in, and the end of that.

use countersign_core::caller::Caller;
use countersign_core::id::AuditId;
use countersign_core::problem::Problem;
use countersign_core::time::Timestamp;
use countersign_store::session::{self, Clock};

use super::authenticate::IDLE_S;
use super::view::{OpenSession, Which};
use crate::App;
use crate::gate::{Action, Effect, Found, Need, Outcome, Permit, through};
use crate::secret::SecretHash;

const LIST: Action = Action { name: "session.list", need: Need::Browser, effect: Effect::Read };
const END: Action =
    Action { name: "session.sign_out_elsewhere", need: Need::Browser, effect: Effect::Destroy };

/// How many are shown.
const LIMIT: i64 = 50;

/// The caller's sessions that are alive, the one used last on top; at most fifty.
pub async fn open_sessions(app: &App, caller: &Caller, cookie: &str) -> Result<Vec<OpenSession>, Problem> {
    let this = SecretHash::of(cookie);
    through(app, caller, LIST, |_| Box::pin(async { Ok(Found::own(())) }), |permit| read(app, permit, this))
        .await
}

async fn read(app: &App, permit: Permit<()>, this: SecretHash) -> Result<Vec<OpenSession>, Problem> {
    let (user, now) = (permit.person()?, permit.at());
    let clock = Clock { now, idle_since: now.plus_seconds(-IDLE_S) };
    let rows = app.db.read(move |t| Box::pin(session::list_live(t, user, clock, LIMIT))).await;
    let view = |(hash, since, seen): session::Seen| OpenSession {
        which: if this.matches(&hash) { Which::This } else { Which::Other },
        since: Timestamp::from_millis(since),
        used_at: Timestamp::from_millis(seen),
    };
    Ok(rows.map_err(Problem::from)?.into_iter().map(view).collect())
}

/// Ends every session of the caller's but the one of this cookie. Doing so again changes nothing more.
pub async fn sign_out_elsewhere(app: &App, caller: &Caller, cookie: &str) -> Result<(), Problem> {
    let this = SecretHash::of(cookie);
    through(app, caller, END, |_| Box::pin(async { Ok(Found::own(())) }), |permit| end(app, permit, this))
        .await
}

async fn end(app: &App, permit: Permit<()>, this: SecretHash) -> Result<(), Problem> {
    let (user, now) = (permit.person()?, permit.at());
    let (record, record_id) = (permit.record(Outcome::Done), AuditId::new(app.uuid()));
    let ended = permit.write(app, move |t| {
        Box::pin(async move {
            let ended = session::revoke_others(t, user, this.as_bytes(), now).await?;
            record.detail("sessions", ended).append(t, record_id).await?;
            Ok(())
        })
    });
    ended.await
}
