//! Revocation by the client (RFC 7009): the family of the token ends, if it is the client's own.

use countersign_core::id::FamilyId;
use countersign_core::oauth::params::Params;
use countersign_core::oauth::token_request::read_revocation;
use countersign_core::problem::Problem;
use countersign_store::oauth_family::{self, FamilyEnd};
use countersign_store::{oauth_access, oauth_refresh};

use super::{TokenFailure, client_key};
use crate::App;
use crate::secret::{Secret, SecretKind};

/// Ends the family of a token. A token that is unknown, or another client's, changes nothing; the answer is
/// the same (RFC 7009 §2.2).
pub async fn give_back(app: &App, params: &Params) -> Result<(), TokenFailure> {
    let request = read_revocation(params, &client_key(app))?;
    let kind = match SecretKind::of(&request.token) {
        Some(kind @ (SecretKind::Access | SecretKind::Refresh)) => kind,
        Some(SecretKind::Code | SecretKind::SetUp | SecretKind::Session | SecretKind::Token) | None => {
            return Ok(());
        }
    };
    let Some(secret) = Secret::parse(kind, &request.token) else {
        return Ok(());
    };
    let now = app.now();
    app.db
        .write(move |t| {
            Box::pin(async move {
                let hash = secret.hash();
                let issued = if kind == SecretKind::Access {
                    oauth_access::find_issued(t, hash.as_bytes()).await?
                } else {
                    oauth_refresh::find_issued(t, hash.as_bytes()).await?
                };
                let Some((family, _)) = issued.filter(|(_, client)| *client == request.client_id) else {
                    return Ok(());
                };
                let family = FamilyId::parse(&family).map_err(Problem::internal)?;
                // Given back twice is given back.
                let _ = oauth_family::revoke(t, family, FamilyEnd::GivenBack, now).await?;
                Ok::<_, TokenFailure>(())
            })
        })
        .await
}
