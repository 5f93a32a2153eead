//! Challenges: random, for one browser and one purpose, good for five minutes and one answer.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use countersign_core::passkey::{CHALLENGE_S, Purpose};
use countersign_core::problem::{Code, Problem};
use countersign_store::passkey_challenge::{self, PasskeyChallenge, Taken};
use sha2::{Digest as _, Sha256};

use crate::App;
use crate::secret::SecretHash;

/// Makes a challenge for the browser whose cookie holds `browser`; base64url, as it goes to the browser.
pub(super) async fn begin(app: &App, browser: &str, purpose: Purpose) -> Result<String, Problem> {
    let (challenge, now): ([u8; 32], _) = (app.random(), app.now());
    let row = PasskeyChallenge {
        challenge_hash: Sha256::digest(challenge).to_vec(),
        browser_hash: SecretHash::of(browser).to_vec(),
        purpose: purpose.as_str().to_owned(),
        expires_at: now.plus_seconds(CHALLENGE_S).millis(),
    };
    let saved = app.db.write(move |t| {
        Box::pin(async move {
            passkey_challenge::forget_expired(t, now).await?;
            row.insert(t).await
        })
    });
    saved.await.map_err(Problem::from)?;
    Ok(URL_SAFE_NO_PAD.encode(challenge))
}

/// Takes the challenge that was answered, before the answer is looked at: it is over, whatever the answer was.
pub(super) async fn take(app: &App, browser: &str, purpose: Purpose, answered: &[u8]) -> Result<(), Problem> {
    let (hash, browser, now) = (Sha256::digest(answered).to_vec(), SecretHash::of(browser), app.now());
    let taken = app.db.write(move |t| {
        Box::pin(async move { passkey_challenge::take(t, &hash, browser.as_bytes(), purpose, now).await })
    });
    match taken.await.map_err(Problem::from)? {
        Taken::One => Ok(()),
        Taken::Nothing => {
            Err(Problem::new(Code::PasskeyRefused, "This was asked too long ago, or answered before."))
        }
    }
}
