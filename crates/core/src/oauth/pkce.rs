//! Proof Key for Code Exchange (RFC 7636), `S256` and nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// A code challenge: 43 characters of base64url, the form that `S256` gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge(String);

impl Challenge {
    /// Reads a challenge; anything but the encoding of 32 bytes is none.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == 32).then(|| Self(text.to_owned()))
    }

    /// The 43 characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `verifier` is what the challenge was made from (RFC 7636 §4.6), in constant time.
    pub fn admits(&self, verifier: &str) -> bool {
        if !is_verifier(verifier) {
            return false;
        }
        let made = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
        made.as_bytes().ct_eq(self.0.as_bytes()).into()
    }
}

/// 43 to 128 unreserved characters (RFC 7636 §4.1).
fn is_verifier(text: &str) -> bool {
    (43..=128).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_example_of_rfc_7636_appendix_b_is_admitted() {
        assert!(Challenge::parse(CHALLENGE).unwrap().admits(VERIFIER));
    }

    #[test]
    fn another_verifier_is_not_admitted() {
        let challenge = Challenge::parse(CHALLENGE).unwrap();
        for wrong in ["", CHALLENGE, &VERIFIER[..42], &format!("{VERIFIER}a"), &VERIFIER.replace('d', "D")] {
            assert!(!challenge.admits(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_verifier_is_43_to_128_unreserved_characters_even_when_its_hash_fits() {
        for wrong in ["a".repeat(42), "a".repeat(129), format!("{} ", "a".repeat(50)), "ä".repeat(43)] {
            let made = URL_SAFE_NO_PAD.encode(Sha256::digest(wrong.as_bytes()));
            assert!(!Challenge::parse(&made).unwrap().admits(&wrong), "{wrong}");
        }
    }

    #[test]
    fn a_challenge_that_s256_cannot_give_is_none() {
        for text in [
            "",
            "abc",
            VERIFIER.trim_end_matches('k'),
            &format!("{CHALLENGE}="),
            &CHALLENGE.replace('-', "+"),
        ] {
            assert_eq!(Challenge::parse(text), None, "{text}");
        }
        // The last character carries four bits; one that would set the spare two is not canonical.
        assert_eq!(Challenge::parse(&CHALLENGE.replace("cM", "cN")), None);
    }
}
