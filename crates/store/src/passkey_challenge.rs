//! Challenges that a passkey is to sign: each for one browser and one purpose, answered once.

use countersign_core::passkey::Purpose;
use countersign_core::time::Timestamp;

use crate::{Result, Tx, record};

record! {
    /// A challenge that waits.
    pub struct PasskeyChallenge in "passkey_challenge" {
        /// SHA-256 of the challenge.
        challenge_hash: Vec<u8>,
        /// SHA-256 of what the browser's cookie holds.
        browser_hash: Vec<u8>,
        /// `register`, `sign_in` or `prove`.
        purpose: String,
        /// When it is over, in milliseconds.
        expires_at: i64,
    }
}

const TAKE: &str = "DELETE FROM passkey_challenge \
    WHERE challenge_hash = $1 AND browser_hash = $2 AND purpose = $3 AND expires_at > $4 RETURNING challenge_hash";

/// Takes a challenge away; of all who answer it, one is told that it was there. That of another browser or purpose stays.
pub async fn take(
    t: &Tx<'_>,
    challenge_hash: &[u8],
    browser_hash: &[u8],
    purpose: Purpose,
    now: Timestamp,
) -> Result<Taken> {
    let taken: Option<(Vec<u8>,)> =
        t.opt(TAKE, &[&challenge_hash, &browser_hash, &purpose.as_str(), &now.millis()]).await?;
    Ok(taken.map_or(Taken::Nothing, |_| Taken::One))
}

/// What taking came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Taken {
    /// It was there, and is no more.
    One,
    /// No such challenge waits.
    Nothing,
}

const FORGET: &str = "DELETE FROM passkey_challenge WHERE expires_at <= $1";

/// Drops what nobody answered in time.
pub async fn forget_expired(t: &Tx<'_>, now: Timestamp) -> Result<u64> {
    t.exec(FORGET, &[&now.millis()]).await
}
