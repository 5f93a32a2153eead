//! The answer to a refresh, sealed under the token that asked for it: only who holds the old token can have the
//! answer again, and the store alone gives nothing away.

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{ChaCha20Poly1305, KeyInit as _};
use countersign_core::problem::Problem;
use hkdf::Hkdf;
use sha2::Sha256;

use crate::secret::Secret;

/// The key serves this purpose alone (RFC 5869 §3.2).
const PURPOSE: &[u8] = b"countersign refresh answer 1";
const NONCE: usize = 12;

/// Seals an answer: nonce, then ciphertext and tag (RFC 8439), bound to the family.
pub(super) fn seal(
    old: &Secret,
    family: &str,
    nonce: [u8; NONCE],
    answer: &[u8],
) -> Result<Vec<u8>, Problem> {
    let payload = Payload { msg: answer, aad: family.as_bytes() };
    let sealed = cipher(old)?.encrypt(&nonce.into(), payload).map_err(|_| broken("sealed"))?;
    Ok([&nonce[..], &sealed].concat())
}

/// Opens what [`seal`] made.
pub(super) fn open(old: &Secret, family: &str, sealed: &[u8]) -> Result<Vec<u8>, Problem> {
    let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or_else(|| broken("opened"))?;
    let payload = Payload { msg: sealed, aad: family.as_bytes() };
    cipher(old)?.decrypt(&(*nonce).into(), payload).map_err(|_| broken("opened"))
}

fn cipher(old: &Secret) -> Result<ChaCha20Poly1305, Problem> {
    let mut key = [0; 32];
    Hkdf::<Sha256>::new(None, old.reveal().as_bytes())
        .expand(PURPOSE, &mut key)
        .map_err(|_| broken("keyed"))?;
    Ok(ChaCha20Poly1305::new(&key.into()))
}

fn broken(what: &str) -> Problem {
    Problem::internal(format!("a refresh answer cannot be {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::SecretKind;

    #[test]
    fn only_the_same_token_and_family_open_an_answer() {
        let old = Secret::new(SecretKind::Refresh, [1; 32]);
        let other = Secret::new(SecretKind::Refresh, [2; 32]);
        let sealed = seal(&old, "f", [9; 12], b"answer").unwrap();
        assert_eq!(open(&old, "f", &sealed).unwrap(), b"answer");
        assert!(open(&other, "f", &sealed).is_err());
        assert!(open(&old, "g", &sealed).is_err());
        assert!(open(&old, "f", &sealed[..11]).is_err());
        for at in 0..sealed.len() {
            let mut bent = sealed.clone();
            bent[at] ^= 1;
            assert!(open(&old, "f", &bent).is_err(), "byte {at}");
        }
    }
}
