//! Who is signed in, by the cookie: one read, and a note of the use at most once a minute.

use std::collections::BTreeSet;

use countersign_core::caller::{Caller, Principal, SessionKey};
use countersign_core::id::{UserId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::WorkspaceRole;
use countersign_core::scope::Scopes;
use countersign_core::time::Timestamp;
use countersign_store::session::{self, Clock, Live};
use countersign_store::{Error, Saved};

use super::view::Viewer;
use crate::App;
use crate::secret::{Secret, SecretHash, SecretKind, same};

/// A session that is not used for so long is over.
pub(super) const IDLE_S: i64 = 12 * 60 * 60;
/// How exactly the last use is known.
const SEEN_MS: i64 = 60_000;

/// Who is signed in.
#[derive(Clone, Debug)]
pub struct SessionView {
    /// The caller that the cookie makes.
    pub caller: Caller,
    /// What pages need around them.
    pub viewer: Viewer,
    /// When the session ends, used or not.
    pub expires_at: Timestamp,
}

/// The session that the cookie opens. `None` is anyone else: no such session, over, idle, signed out, or its
/// person may not sign in any more.
pub async fn authenticate(app: &App, cookie: &str) -> Result<Option<SessionView>, Problem> {
    let Some((hash, live)) = find(app, cookie).await? else {
        return Ok(None);
    };
    if app.now().millis() - live.seen_at >= SEEN_MS {
        note_use(app, hash.clone(), live.seen_at).await;
    }
    read(&hash, live).map(Some)
}

/// The same without counting as a use: a page that is left open keeps no session alive.
pub async fn glance(app: &App, cookie: &str) -> Result<Option<SessionView>, Problem> {
    find(app, cookie).await?.map(|(hash, live)| read(&hash, live)).transpose()
}

async fn find(app: &App, cookie: &str) -> Result<Option<(SecretHash, Live)>, Problem> {
    let Some(secret) = Secret::parse(SecretKind::Session, cookie) else {
        return Ok(None);
    };
    let (hash, now) = (secret.hash(), app.now());
    let key = hash.clone();
    let clock = Clock { now, idle_since: now.plus_seconds(-IDLE_S) };
    let live = app
        .db
        .glance(move |t| Box::pin(async move { session::find_live(t, key.as_bytes(), clock).await }))
        .await;
    Ok(live.map_err(|error: Error| Problem::from(error))?.map(|live| (hash, live)))
}

/// Whether a form repeats the token of its session.
pub fn check_csrf(viewer: &Viewer, given: &str) -> Result<(), Problem> {
    if same(viewer.csrf.as_bytes(), given.as_bytes()) {
        Ok(())
    } else {
        Err(Problem::new(Code::CsrfRefused, "The form was not made for this session."))
    }
}

/// A use that cannot be noted is still a use; the idle time then counts from an earlier one.
async fn note_use(app: &App, hash: SecretHash, seen: i64) {
    let at = app.now();
    let saved = app
        .db
        .write(move |t| Box::pin(async move { session::save_seen(t, hash.as_bytes(), seen, at).await }));
    match saved.await {
        // Another request of the session noted it meanwhile.
        Ok(Saved::Done(()) | Saved::Changed | Saved::Missing) => {}
        Err(error) => tracing::warn!(%error, "the use of a session was not noted"),
    }
}

fn read(hash: &SecretHash, live: Live) -> Result<SessionView, Problem> {
    let unreadable = |_| Problem::internal("an id in the store is no UUID");
    let user = UserId::parse(&live.user_id).map_err(unreadable)?;
    let workspace = WorkspaceId::parse(&live.workspace_id).map_err(unreadable)?;
    let role = WorkspaceRole::parse(&live.role)
        .ok_or_else(|| Problem::internal("a role in the store is not ours"))?;
    let proved_at = Timestamp::from_millis(live.proved_at);
    let caller = Caller {
        principal: Principal::Session { user, proved_at, session: Some(SessionKey(*hash.as_bytes())) },
        workspace: Some(workspace),
        scopes: Scopes::default(),
        switched_off: BTreeSet::new(),
    };
    let viewer = Viewer {
        user,
        name: live.name,
        mail: live.mail,
        workspace,
        workspace_name: live.workspace_name,
        role,
        csrf: live.csrf,
        proved_at,
    };
    Ok(SessionView { caller, viewer, expires_at: Timestamp::from_millis(live.expires_at) })
}
