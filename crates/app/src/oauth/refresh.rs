//! A refresh token becomes its successor; parallel processes of one host get one answer; reuse ends the family.

use std::collections::BTreeSet;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{AuditId, ConnectionId, FamilyId, UserId, WorkspaceId};
use countersign_core::oauth::refresh::{self, Decision, RefreshClaim, RefreshFacts, Rotation};
use countersign_core::oauth::refusal::{OAuthError, OAuthRefusal};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::{Scope, Scopes};
use countersign_core::time::Timestamp;
use countersign_store::oauth_family::{self, FamilyEnd};
use countersign_store::oauth_refresh::{self, RefreshFound, Rotated};
use countersign_store::{Saved, Tx, Wake};

use super::failure::INVALID_GRANT;
use super::issue::{Pair, Place};
use super::seal::{open, seal};
use super::{TokenAnswer, TokenFailure, urls};
use crate::App;
use crate::connection::TOPIC;
use crate::gate::{Action, Effect, Need, Outcome, Record};
use crate::secret::{Secret, SecretKind};

/// What the client presents. It has no `Debug`: it holds a secret.
pub(super) struct Presented {
    pub(super) client_id: String,
    pub(super) token: String,
    pub(super) scopes: Option<Scopes>,
}

const REFRESH: Action =
    Action { name: "oauth.refresh", need: Need::Agent(Scope::Read), effect: Effect::Write };

const INVALID_SCOPE: OAuthRefusal = OAuthRefusal::new(
    OAuthError::InvalidScope,
    "Ask for scopes that were granted, the same ones when you repeat a refresh.",
);

/// What a decision needs that must be made outside it.
struct Fresh {
    pair: Pair,
    nonce: [u8; 12],
    now: Timestamp,
    record_id: AuditId,
}

/// Refreshes.
pub(super) async fn refresh(app: &App, presented: Presented) -> Result<TokenAnswer, TokenFailure> {
    let old = Secret::parse(SecretKind::Refresh, &presented.token).ok_or(INVALID_GRANT)?;
    let resource = urls(app)?.resource();
    let fresh = Fresh {
        pair: Pair::fresh(app),
        nonce: app.random(),
        now: app.now(),
        record_id: AuditId::new(app.uuid()),
    };
    let answer = app.db.write(move |t| {
        Box::pin(async move {
            let (hash, client) = (old.hash(), presented.client_id.as_str());
            let Some(found) = oauth_refresh::present(t, hash.as_bytes(), client, fresh.now).await? else {
                return Err(INVALID_GRANT.into());
            };
            let claim =
                RefreshClaim { client_id: client, resource: &resource, scopes: presented.scopes.as_ref() };
            match refresh::decide(fresh.now, &facts(&found), claim) {
                Decision::Rotate(scopes) => rotate(t, (&old, &found), &scopes, fresh).await.map(Some),
                Decision::Replay => replay(t, &old, &found).await.map(Some),
                Decision::Renew(scopes) => renew(t, (&old, &found), &scopes, fresh).await.map(Some),
                // An error undoes the mark that the token was presented.
                Decision::Refuse => Err(INVALID_GRANT.into()),
                Decision::RefuseScope => Err(INVALID_SCOPE.into()),
                Decision::RevokeFamily => {
                    end(t, &found, fresh).await?;
                    Ok::<_, TokenFailure>(None)
                }
            }
        })
    });
    answer.await?.ok_or_else(|| INVALID_GRANT.into())
}

fn facts(found: &RefreshFound) -> RefreshFacts {
    let rotation = found.token.rotated_at.map(|at| Rotation {
        at: Timestamp::from_millis(at),
        replays: found.token.replays,
        scopes: Scopes::parse(found.successor_scopes.as_deref().unwrap_or_default()),
        successor_exchanged: found.successor_rotated_at.is_some(),
        successor_presented: found.successor_presented_at.is_some(),
    });
    RefreshFacts {
        client_id: found.client_id.clone(),
        resource: found.resource.clone(),
        scopes: Scopes::parse(&found.granted),
        expires_at: Timestamp::from_millis(found.token.expires_at),
        revoked: found.ended != 0,
        rotation,
    }
}

/// Where the pair belongs that comes after `found`.
fn place<'a>(found: &'a RefreshFound, scopes: &'a Scopes, now: Timestamp) -> Place<'a> {
    Place {
        family: &found.token.family_id,
        family_expires_at: Timestamp::from_millis(found.family_expires_at),
        connection: &found.connection_id,
        resource: &found.resource,
        scopes,
        parent: None,
        now,
    }
}

async fn rotate(
    t: &Tx<'_>,
    (old, found): (&Secret, &RefreshFound),
    scopes: &Scopes,
    fresh: Fresh,
) -> Result<TokenAnswer, TokenFailure> {
    let place = Place { parent: Some(old), ..place(found, scopes, fresh.now) };
    fresh.pair.insert(t, &place).await?;
    let answer = fresh.pair.answer(&place);
    let sealed = seal(old, &found.token.family_id, fresh.nonce, answer.as_bytes())?;
    let successor = fresh.pair.refresh().hash();
    let rotated = Rotated { successor: successor.as_bytes(), sealed: &sealed, at: fresh.now };
    match oauth_refresh::rotate(t, old.hash().as_bytes(), rotated).await? {
        Saved::Done(()) => Ok(answer),
        Saved::Changed | Saved::Missing => Err(changed().into()),
    }
}

async fn replay(t: &Tx<'_>, old: &Secret, found: &RefreshFound) -> Result<TokenAnswer, TokenFailure> {
    let answer = open_answer(old, found)?;
    match oauth_refresh::count_replay(t, old.hash().as_bytes(), found.token.replays).await? {
        Saved::Done(_) => Ok(TokenAnswer::of(answer)),
        Saved::Changed | Saved::Missing => Err(changed().into()),
    }
}

/// The lost answer gives its refresh token, which is rotated as if it had arrived; the pair takes the place of the
/// answer, so that whoever asks once more, with either token, hears the same.
async fn renew(
    t: &Tx<'_>,
    (old, found): (&Secret, &RefreshFound),
    scopes: &Scopes,
    fresh: Fresh,
) -> Result<TokenAnswer, TokenFailure> {
    let answer = TokenAnswer::of(open_answer(old, found)?);
    let lost =
        answer.refresh().ok_or_else(|| Problem::internal("a sealed answer without its refresh token"))?;
    let family = &found.token.family_id;
    let place = Place { parent: Some(&lost), ..place(found, scopes, fresh.now) };
    fresh.pair.insert(t, &place).await?;
    let answer = fresh.pair.answer(&place);
    let successor = fresh.pair.refresh().hash();
    // The keys come from the tokens, so that one nonce serves both seals; the old token's first seal had another.
    let sealed = [
        seal(&lost, family, fresh.nonce, answer.as_bytes())?,
        seal(old, family, fresh.nonce, answer.as_bytes())?,
    ];
    let [of_lost, of_old] =
        sealed.each_ref().map(|sealed| Rotated { successor: successor.as_bytes(), sealed, at: fresh.now });
    let saved = [
        oauth_refresh::rotate(t, lost.hash().as_bytes(), of_lost).await?,
        oauth_refresh::renew(t, old.hash().as_bytes(), lost.hash().as_bytes(), of_old).await?,
    ];
    if saved.iter().all(|saved| matches!(saved, Saved::Done(()))) {
        Ok(answer)
    } else {
        Err(changed().into())
    }
}

fn open_answer(old: &Secret, found: &RefreshFound) -> Result<Vec<u8>, Problem> {
    let sealed = found.token.sealed.as_deref();
    let sealed = sealed.ok_or_else(|| Problem::internal("a rotated token without its answer"))?;
    open(old, &found.token.family_id, sealed)
}

fn changed() -> Problem {
    Problem::internal("a refresh token changed while its row was held")
}

/// The family ends, and its owner can read why.
async fn end(t: &Tx<'_>, found: &RefreshFound, fresh: Fresh) -> Result<(), TokenFailure> {
    let family = FamilyId::parse(&found.token.family_id).map_err(Problem::internal)?;
    match oauth_family::revoke(t, family, FamilyEnd::RefreshReused, fresh.now).await? {
        Saved::Done(()) => {}
        Saved::Changed | Saved::Missing => return Ok(()),
    }
    let caller = connection_caller(&found.connection_id, &found.workspace_id, &found.user_id)?;
    let record = Record::new(&caller, REFRESH, fresh.now, Outcome::Refused(Code::TokenReused));
    note_end(t, record, &found.workspace_id, fresh.record_id).await
}

/// Tells the owner that tokens ended: in the activity of the connection, and to the pages that are open.
pub(super) async fn note_end(
    t: &Tx<'_>,
    record: Record,
    workspace: &str,
    record_id: AuditId,
) -> Result<(), TokenFailure> {
    record.append(t, record_id).await?;
    t.wake(Wake { workspace: workspace.to_owned(), topic: TOPIC.to_owned() });
    Ok(())
}

/// The caller that a connection's own token step is recorded for.
pub(super) fn connection_caller(connection: &str, workspace: &str, person: &str) -> Result<Caller, Problem> {
    let id = ConnectionId::parse(connection).map_err(Problem::internal)?;
    let owner = UserId::parse(person).map_err(Problem::internal)?;
    Ok(Caller {
        principal: Principal::Connection { id, owner },
        workspace: Some(WorkspaceId::parse(workspace).map_err(Problem::internal)?),
        scopes: Scopes::default(),
        switched_off: BTreeSet::new(),
    })
}
