//! Revocation by the client (RFC 7009): the family of the token ends, if it is the client's own.

use countersign_core::id::{AuditId, FamilyId};
use countersign_core::oauth::params::Params;
use countersign_core::oauth::token_request::read_revocation;
use countersign_core::problem::Problem;
use countersign_core::scope::Scope;
use countersign_store::oauth_family::{self, FamilyEnd};
use countersign_store::{Saved, oauth_access, oauth_refresh};

use super::refresh::{connection_caller, note_end};
use super::{TokenFailure, client_key};
use crate::App;
use crate::gate::{Action, Effect, Need, Outcome, Record};
use crate::secret::{Secret, SecretKind};

const GIVE_BACK: Action =
    Action { name: "oauth.revoke", need: Need::Agent(Scope::Read), effect: Effect::Destroy };

/// Ends the family of a token, and tells the owner. A token that is unknown, or another client's, changes nothing; the answer is
/// the same (RFC 7009 §2.2).
pub async fn give_back(app: &App, params: &Params) -> Result<(), TokenFailure> {
    let request = read_revocation(params, &client_key(app))?;
    let kind = match SecretKind::of(&request.token) {
        Some(kind @ (SecretKind::Access | SecretKind::Refresh)) => kind,
        Some(
            SecretKind::Code
            | SecretKind::Invitation
            | SecretKind::SetUp
            | SecretKind::Session
            | SecretKind::Token,
        )
        | None => {
            return Ok(());
        }
    };
    let Some(secret) = Secret::parse(kind, &request.token) else {
        return Ok(());
    };
    let (now, record_id) = (app.now(), AuditId::new(app.uuid()));
    app.db
        .write(move |t| {
            Box::pin(async move {
                let hash = secret.hash();
                let issued = if kind == SecretKind::Access {
                    oauth_access::find_issued(t, hash.as_bytes()).await?
                } else {
                    oauth_refresh::find_issued(t, hash.as_bytes()).await?
                };
                let Some(issued) = issued.filter(|issued| issued.client_id == request.client_id) else {
                    return Ok(());
                };
                let family = FamilyId::parse(&issued.family_id).map_err(Problem::internal)?;
                match oauth_family::revoke(t, family, FamilyEnd::GivenBack, now).await? {
                    Saved::Done(()) => {}
                    // Given back twice is given back.
                    Saved::Changed | Saved::Missing => return Ok(()),
                }
                let caller = connection_caller(&issued.connection_id, &issued.workspace_id, &issued.user_id)?;
                let record = Record::new(&caller, GIVE_BACK, now, Outcome::Done);
                note_end(t, record, &issued.workspace_id, record_id).await?;
                Ok::<_, TokenFailure>(())
            })
        })
        .await
}
