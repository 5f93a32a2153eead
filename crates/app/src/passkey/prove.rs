//! Who a person is, by a passkey: for signing in, and for the sudo window.

use std::net::IpAddr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use countersign_core::id::UserId;
use countersign_core::passkey::{Counted, Purpose, counted};
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_store::passkey::{self, Passkey};
use countersign_store::{Saved, Tx};

use super::check::{Signed, Used};
use super::{challenge, party};
use crate::App;
use crate::secret::SecretHash;
use crate::session::{Account, refused};

/// A passkey that signed just now, and whose it is. Its use is not noted yet.
pub(crate) struct Proven {
    pub(crate) account: Account,
    key: Passkey,
    /// The count as it was, and as it is.
    counts: (u32, u32),
}

impl Proven {
    /// Notes the use in the transaction of what it is used for. One that was used meanwhile under the same count opens
    /// nothing.
    pub(crate) async fn save(&self, t: &Tx<'_>, at: Timestamp) -> Result<(), Problem> {
        match passkey::save_used(t, &self.key.id, self.counts, at).await? {
            Saved::Done(()) => Ok(()),
            Saved::Changed | Saved::Missing => {
                Err(Problem::new(Code::PasskeyRefused, "This passkey was used or removed meanwhile."))
            }
        }
    }
}

/// Proves a person by what their passkey signed, in the browser whose cookie holds `browser`. Attempts are counted per
/// passkey and per address, as those of passwords are, and failures are kept in the audit log.
pub(crate) async fn prove(
    app: &App,
    address: IpAddr,
    browser: &str,
    purpose: Purpose,
    text: &str,
) -> Result<Proven, Problem> {
    let signed = Signed::read(text)?;
    let counted_as =
        format!("passkey {}", URL_SAFE_NO_PAD.encode(SecretHash::of(&credential(&signed)).as_bytes()));
    app.attempts.begin(&counted_as, address, app.now())?;
    let (account, result) = verify(app, browser, purpose, &signed).await?;
    match (account, result) {
        (Some((account, key)), Ok(counts)) => {
            app.attempts.succeeded(&counted_as, address);
            Ok(Proven { account, key, counts })
        }
        (account, result) => {
            let problem = result.err().unwrap_or_else(unknown);
            refused(app, address, account.map(|(account, _)| account), &problem).await;
            Err(problem)
        }
    }
}

fn credential(signed: &Signed) -> String {
    URL_SAFE_NO_PAD.encode(signed.credential_id())
}

type Verdict = (Option<(Account, Passkey)>, Result<(u32, u32), Problem>);

async fn verify(app: &App, browser: &str, purpose: Purpose, signed: &Signed) -> Result<Verdict, Problem> {
    let party = party(app)?;
    if let Err(problem) = challenge::take(app, browser, purpose, signed.challenge()).await {
        return Ok((None, Err(problem)));
    }
    let id = signed.credential_id().to_vec();
    let Some((account, key)) = app.db.read(move |t| Box::pin(find(t, id))).await? else {
        return Ok((None, Err(unknown())));
    };
    let seen = u32::try_from(key.counter).map_err(Problem::internal)?;
    let used = signed.verify(&party, &key).and_then(|used| of_person(used, account.user, purpose));
    let verdict = match used.map(|used| (used.counter, counted(seen, used.counter))) {
        Ok((now, Counted::On)) => Ok((seen, now)),
        Ok((_, Counted::Back)) => Err(went_back(app, &key).await?),
        Err(problem) => Err(problem),
    };
    Ok((Some((account, key)), verdict))
}

async fn find(t: &Tx<'_>, credential_id: Vec<u8>) -> Result<Option<(Account, Passkey)>, Problem> {
    let Some(key) = passkey::find(t, &credential_id).await? else { return Ok(None) };
    let user = UserId::parse(&key.user_id).map_err(Problem::internal)?;
    Ok(Account::find(t, user).await?.map(|account| (account, key)))
}

/// The passkey says for whom it was made (Level 3 §7.2, step 6): it must where nobody said who signs in, and may elsewhere.
fn of_person(used: Used, person: UserId, purpose: Purpose) -> Result<Used, Problem> {
    match (&used.user, purpose) {
        (Some(handle), _) if handle == person.uuid().as_bytes() => Ok(used),
        (None, Purpose::Prove) => Ok(used),
        (Some(_), _) | (None, Purpose::SignIn | Purpose::Register) => Err(unknown()),
    }
}

/// The owner of the key is told on their settings, the operator in the log, both by the audit record.
async fn went_back(app: &App, key: &Passkey) -> Result<Problem, Problem> {
    let (id, at) = (key.id.clone(), app.now());
    let noted = app.db.write(move |t| Box::pin(async move { passkey::note_refused(t, &id, at).await }));
    noted.await.map_err(Problem::from)?;
    tracing::warn!(
        passkey = key.id,
        person = key.user_id,
        "the count of a passkey went back: it may have been copied"
    );
    Ok(Problem::new(
        Code::PasskeyRefused,
        "The count of this passkey went back: somebody may have a copy of it.",
    )
    .next(
        "Sign in another way, remove this passkey in your settings, and look at what was done in your name.",
    )
    .fact("why", "count"))
}

fn unknown() -> Problem {
    Problem::new(Code::PasskeyRefused, "This passkey opens nothing here.")
        .next("Use the password, or another passkey.")
        .fact("why", "unknown")
}
