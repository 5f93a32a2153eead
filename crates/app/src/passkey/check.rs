//! Looks through what an authenticator answered: the one place that knows the library (docs/decisions/12-passkeys.md).
//!
//! It is taken for signatures and formats alone. Challenges come from our own source and store, the count is judged
//! by `core` once the signature holds, and what the library does not compare is compared here.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use countersign_core::passkey::{ALGORITHMS, LONGEST_ID, RelyingParty};
use countersign_core::problem::{Code, Problem};
use countersign_store::passkey::Passkey;
use passki::{
    AuthenticationCredential, AuthenticationOptions, ClientData, Passki, PasskiError, RegistrationCredential,
    RegistrationOptions, StoredPasskey, UserVerificationRequirement,
};

/// The name that an authenticator may show.
pub(super) const NAME: &str = "Countersign";
/// The flag of a passkey that may be kept elsewhere too (Level 3 §6.1), and the byte of flags after the hash of the id.
const BACKUP_ELIGIBLE: u8 = 0b1000;
const FLAGS: usize = 32;

/// What a browser sent about a new passkey.
pub(super) struct Made {
    credential: RegistrationCredential,
    challenge: Vec<u8>,
}

/// A passkey to keep.
#[derive(Debug)]
pub(super) struct NewKey {
    pub(super) credential_id: Vec<u8>,
    pub(super) algorithm: i32,
    pub(super) public_key: Vec<u8>,
    pub(super) counter: u32,
    pub(super) is_synced: bool,
}

impl Made {
    /// Reads `RegistrationResponseJSON`.
    pub(super) fn read(text: &str) -> Result<Self, Problem> {
        let credential: RegistrationCredential = serde_json::from_str(text).map_err(|_| unreadable())?;
        let challenge = challenge(&credential.response.client_data_json)?;
        Ok(Self { credential, challenge })
    }

    pub(super) fn challenge(&self) -> &[u8] {
        &self.challenge
    }

    /// Verifies it (Level 3 §7.1). The challenge was looked up before, and is the right one.
    pub(super) fn verify(&self, party: &RelyingParty, user: &[u8]) -> Result<NewKey, Problem> {
        let library = library(party);
        let mut options = RegistrationOptions::default();
        options.user_verification = UserVerificationRequirement::Required;
        let (_, mut state) = library
            .start_passkey_registration(user, "", "", options)
            .map_err(|error| refused(&error, party))?;
        state.challenge.clone_from(&self.challenge);
        let made = library
            .finish_passkey_registration(&self.credential, &state)
            .map_err(|error| refused(&error, party))?;
        if !ALGORITHMS.contains(&made.algorithm) || made.credential_id.len() > LONGEST_ID {
            return Err(unreadable());
        }
        Ok(NewKey {
            credential_id: made.credential_id,
            algorithm: made.algorithm,
            public_key: made.public_key,
            counter: made.counter,
            is_synced: made.be,
        })
    }
}

/// What a browser sent that a passkey signed.
pub(super) struct Signed {
    credential: AuthenticationCredential,
    credential_id: Vec<u8>,
    challenge: Vec<u8>,
}

/// What a good signature says.
#[derive(Debug)]
pub(super) struct Used {
    /// How often the passkey has signed.
    pub(super) counter: u32,
    /// For whom it was made, in its own memory.
    pub(super) user: Option<Vec<u8>>,
}

impl Signed {
    /// Reads `AuthenticationResponseJSON`.
    pub(super) fn read(text: &str) -> Result<Self, Problem> {
        let credential: AuthenticationCredential = serde_json::from_str(text).map_err(|_| unreadable())?;
        let challenge = challenge(&credential.response.client_data_json)?;
        let credential_id = URL_SAFE_NO_PAD.decode(&credential.raw_id).map_err(|_| unreadable())?;
        Ok(Self { credential, credential_id, challenge })
    }

    pub(super) fn challenge(&self) -> &[u8] {
        &self.challenge
    }

    pub(super) fn credential_id(&self) -> &[u8] {
        &self.credential_id
    }

    /// Verifies it against the passkey that it names (Level 3 §7.2). The challenge was looked up before, and is the
    /// right one; the count is for the caller to judge, since only now it is known who wrote it.
    pub(super) fn verify(&self, party: &RelyingParty, key: &Passkey) -> Result<Used, Problem> {
        let library = library(party);
        let mut options = AuthenticationOptions::default();
        options.user_verification = UserVerificationRequirement::Required;
        let (_, mut state) =
            library.start_passkey_authentication(&[], options).map_err(|error| refused(&error, party))?;
        state.challenge.clone_from(&self.challenge);
        let mut stored = StoredPasskey::default();
        stored.credential_id.clone_from(&key.credential_id);
        stored.public_key.clone_from(&key.public_key);
        stored.algorithm = i32::try_from(key.algorithm).map_err(Problem::internal)?;
        let used = library
            .finish_passkey_authentication(&self.credential, &state, &stored)
            .map_err(|error| refused(&error, party))?;
        // Whether it may be kept elsewhere is settled when it is made (§7.2, step 19).
        if self.is_synced()? != key.synced_at.is_some() {
            return Err(unreadable());
        }
        Ok(Used { counter: used.counter, user: used.user_handle })
    }

    fn is_synced(&self) -> Result<bool, Problem> {
        let data = URL_SAFE_NO_PAD.decode(&self.credential.response.authenticator_data);
        let flags = data.ok().and_then(|bytes| bytes.get(FLAGS).copied()).ok_or_else(unreadable)?;
        Ok(flags & BACKUP_ELIGIBLE != 0)
    }
}

fn library(party: &RelyingParty) -> Passki {
    Passki::new(&party.id, &[&party.origin], NAME)
}

fn challenge(client_data: &str) -> Result<Vec<u8>, Problem> {
    let data = ClientData::from_base64(client_data).map_err(|_| unreadable())?;
    URL_SAFE_NO_PAD.decode(data.challenge).map_err(|_| unreadable())
}

fn unreadable() -> Problem {
    Problem::new(Code::PasskeyRefused, "This passkey was not accepted.").fact("why", "verification")
}

/// The refusal without the words of the library, in which a stranger's may stand.
fn refused(error: &PasskiError, party: &RelyingParty) -> Problem {
    if matches!(error, PasskiError::OriginMismatch { .. } | PasskiError::RpIdHashMismatch) {
        return Problem::new(
            Code::PasskeyRefused,
            "This passkey was asked for by a page of another address.",
        )
        .next(format!("Open the app at {} and try again.", party.origin))
        .fact("why", "origin");
    }
    unreadable()
}
