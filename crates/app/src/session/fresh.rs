//! A fresh session: its token for the cookie, its row for the store.

use countersign_core::id::UserId;
use countersign_core::time::Timestamp;
use countersign_store::session::Session;

use crate::App;
use crate::secret::{Secret, SecretKind, random_text};

/// How long a session lasts, used or not.
const LIFETIME_S: i64 = 30 * 24 * 60 * 60;

/// What signing in gives to the browser.
#[derive(Debug)]
pub struct SignedIn {
    /// The token for the cookie.
    pub session: Secret,
    /// When the session ends, used or not.
    pub expires_at: Timestamp,
}

/// A session that is not in the store yet. It begins with a password just entered.
pub(crate) struct Fresh {
    secret: Secret,
    expires_at: Timestamp,
    pub(crate) row: Session,
}

impl Fresh {
    /// A session of its own.
    pub(crate) fn new(app: &App, user: UserId, at: Timestamp) -> Self {
        Self::until(app, user, at, at.plus_seconds(LIFETIME_S))
    }

    /// A session in place of another one, which keeps the other's end.
    pub(crate) fn until(app: &App, user: UserId, at: Timestamp, expires_at: Timestamp) -> Self {
        let secret = app.secret(SecretKind::Session);
        let row = Session {
            token_hash: secret.hash().to_vec(),
            user_id: user.to_string(),
            csrf: random_text(app.random()),
            created_at: at.millis(),
            seen_at: at.millis(),
            proved_at: at.millis(),
            expires_at: expires_at.millis(),
            revoked_at: None,
        };
        Self { secret, expires_at, row }
    }

    pub(crate) fn signed_in(self) -> SignedIn {
        SignedIn { session: self.secret, expires_at: self.expires_at }
    }
}
