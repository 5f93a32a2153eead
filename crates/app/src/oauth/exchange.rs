//! A code becomes a pair of tokens, once; who presents it again with its proof ends the family.

use countersign_core::id::{AuditId, FamilyId};
use countersign_core::oauth::code::{self, CodeClaim, CodeFacts, Exchange};
use countersign_core::oauth::pkce::Challenge;
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::Scopes;
use countersign_core::time::Timestamp;
use countersign_store::oauth_code::{self, CodeFound};
use countersign_store::oauth_family::{self, FamilyEnd};
use countersign_store::{Saved, Tx};

use super::failure::INVALID_GRANT;
use super::issue::{Pair, Place};
use super::refresh::{connection_caller, note_end};
use super::{TokenAnswer, TokenFailure, document, urls};
use crate::App;
use crate::gate::{Action, Effect, Need, Outcome, Record};
use crate::secret::{Secret, SecretKind};

/// What the client presents. It has no `Debug`: it holds secrets.
pub(super) struct Presented {
    pub(super) client_id: String,
    pub(super) code: String,
    pub(super) redirect_uri: String,
    pub(super) verifier: String,
}

const EXCHANGE: Action = Action {
    name: "oauth.exchange",
    need: Need::Agent(countersign_core::scope::Scope::Read),
    effect: Effect::Write,
};

/// Exchanges a code.
pub(super) async fn exchange(app: &App, presented: Presented) -> Result<TokenAnswer, TokenFailure> {
    let secret = Secret::parse(SecretKind::Code, &presented.code).ok_or(INVALID_GRANT)?;
    let (resource, now, pair) = (urls(app)?.resource(), app.now(), Pair::fresh(app));
    let record_id = AuditId::new(app.uuid());
    let answer = app.db.write(move |t| {
        Box::pin(async move {
            let hash = secret.hash();
            let Some(found) = oauth_code::find(t, hash.as_bytes()).await? else {
                return Err(INVALID_GRANT.into());
            };
            let claim = CodeClaim {
                client_id: &presented.client_id,
                redirect_uri: &presented.redirect_uri,
                verifier: &presented.verifier,
                resource: &resource,
            };
            let issue = match code::decide(now, &facts(&found)?, claim) {
                Exchange::Refuse => return Err(INVALID_GRANT.into()),
                Exchange::RevokeFamily => false,
                // Another request may have used it up since it was read.
                Exchange::Issue => oauth_code::take(t, hash.as_bytes(), now).await? == Saved::Done(()),
            };
            if issue {
                issued(t, &found, (&pair, now), record_id).await.map(Some)
            } else {
                end(t, &found, now, record_id).await?;
                Ok::<_, TokenFailure>(None)
            }
        })
    });
    answer.await?.ok_or_else(|| INVALID_GRANT.into())
}

fn facts(found: &CodeFound) -> Result<CodeFacts, Problem> {
    let code = &found.code;
    Ok(CodeFacts {
        client_id: code.client_id.clone(),
        redirect_uri: code.redirect_uri.clone(),
        pinned: found.document_uris.as_deref().map(document::read_uris).transpose()?,
        challenge: Challenge::parse(&code.challenge)
            .ok_or_else(|| Problem::internal("a challenge in the store is not ours"))?,
        resource: code.resource.clone(),
        expires_at: Timestamp::from_millis(code.expires_at),
        used_at: code.used_at.map(Timestamp::from_millis),
        revoked: found.ended != 0,
    })
}

async fn issued(
    t: &Tx<'_>,
    found: &CodeFound,
    (pair, now): (&Pair, Timestamp),
    record_id: AuditId,
) -> Result<TokenAnswer, TokenFailure> {
    let scopes = Scopes::parse(&found.code.scopes);
    let place = Place {
        family: &found.code.family_id,
        family_expires_at: Timestamp::from_millis(found.family_expires_at),
        connection: &found.connection_id,
        resource: &found.code.resource,
        scopes: &scopes,
        parent: None,
        now,
    };
    pair.insert(t, &place).await?;
    let caller = connection_caller(&found.connection_id, &found.workspace_id, &found.user_id)?;
    Record::new(&caller, EXCHANGE, now, Outcome::Done).append(t, record_id).await?;
    Ok(pair.answer(&place))
}

/// The code came a second time: whatever was issued on it is in doubt (RFC 6749 §4.1.2).
async fn end(t: &Tx<'_>, found: &CodeFound, now: Timestamp, record_id: AuditId) -> Result<(), TokenFailure> {
    let family = FamilyId::parse(&found.code.family_id).map_err(Problem::internal)?;
    match oauth_family::revoke(t, family, FamilyEnd::CodeReused, now).await? {
        Saved::Done(()) => {}
        Saved::Changed | Saved::Missing => return Ok(()),
    }
    let caller = connection_caller(&found.connection_id, &found.workspace_id, &found.user_id)?;
    let record = Record::new(&caller, EXCHANGE, now, Outcome::Refused(Code::TokenReused));
    note_end(t, record, &found.workspace_id, record_id).await
}
