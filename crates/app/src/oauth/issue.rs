//! A pair of tokens: fresh secrets, their rows, and the answer that hands them out.

use countersign_core::oauth::refresh::{ACCESS_SECONDS, IDLE_SECONDS};
use countersign_core::scope::Scopes;
use countersign_core::time::Timestamp;
use countersign_store::oauth_access::OauthAccess;
use countersign_store::oauth_refresh::OauthRefresh;
use countersign_store::{Result, Tx};
use serde::Serialize;

use crate::App;
use crate::secret::{Secret, SecretKind};

/// The body of a token answer, byte for byte. It has no `Debug`: it holds secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenAnswer(Vec<u8>);

impl TokenAnswer {
    pub(super) const fn of(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The refresh token in it.
    pub(super) fn refresh(&self) -> Option<Secret> {
        let body: serde_json::Value = serde_json::from_slice(&self.0).ok()?;
        Secret::parse(SecretKind::Refresh, body.get("refresh_token")?.as_str()?)
    }

    /// The JSON of RFC 6749 §5.1.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// An access token and the refresh token that comes with it.
pub(super) struct Pair {
    access: Secret,
    refresh: Secret,
}

/// Where a pair belongs, and how long it may live.
pub(super) struct Place<'a> {
    pub(super) family: &'a str,
    pub(super) family_expires_at: Timestamp,
    pub(super) connection: &'a str,
    pub(super) resource: &'a str,
    /// What the access token may do.
    pub(super) scopes: &'a Scopes,
    /// The refresh token that this pair replaces.
    pub(super) parent: Option<&'a Secret>,
    pub(super) now: Timestamp,
}

impl Pair {
    pub(super) fn fresh(app: &App) -> Self {
        Self { access: app.secret(SecretKind::Access), refresh: app.secret(SecretKind::Refresh) }
    }

    pub(super) const fn refresh(&self) -> &Secret {
        &self.refresh
    }

    /// Inserts both rows.
    pub(super) async fn insert(&self, t: &Tx<'_>, place: &Place<'_>) -> Result<()> {
        let refresh = OauthRefresh {
            token_hash: self.refresh.hash().to_vec(),
            family_id: place.family.to_owned(),
            parent_hash: place.parent.map(|parent| parent.hash().to_vec()),
            scopes: place.scopes.to_string(),
            created_at: place.now.millis(),
            expires_at: place.ends(IDLE_SECONDS).millis(),
            presented_at: None,
            rotated_at: None,
            successor_hash: None,
            replays: 0,
            sealed: None,
        };
        refresh.insert(t).await?;
        let access = OauthAccess {
            token_hash: self.access.hash().to_vec(),
            family_id: place.family.to_owned(),
            connection_id: place.connection.to_owned(),
            refresh_hash: self.refresh.hash().to_vec(),
            resource: place.resource.to_owned(),
            scopes: place.scopes.to_string(),
            created_at: place.now.millis(),
            expires_at: place.ends(ACCESS_SECONDS).millis(),
            // Whether its answer arrived is asked of a successor alone.
            presented_at: place.parent.is_none().then(|| place.now.millis()),
        };
        access.insert(t).await
    }

    /// The answer that hands the pair out.
    pub(super) fn answer(&self, place: &Place<'_>) -> TokenAnswer {
        #[derive(Serialize)]
        struct Body<'a> {
            access_token: &'a str,
            token_type: &'static str,
            expires_in: i64,
            refresh_token: &'a str,
            scope: String,
        }
        let body = Body {
            access_token: self.access.reveal(),
            token_type: "Bearer",
            expires_in: place.ends(ACCESS_SECONDS).seconds() - place.now.seconds(),
            refresh_token: self.refresh.reveal(),
            scope: place.scopes.to_string(),
        };
        // Text and a number always have a JSON form.
        TokenAnswer(serde_json::to_vec(&body).unwrap_or_default())
    }
}

impl Place<'_> {
    /// So many seconds from now, but not beyond the family's end.
    fn ends(&self, seconds: i64) -> Timestamp {
        self.now.plus_seconds(seconds).min(self.family_expires_at)
    }
}
