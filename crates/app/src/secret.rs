//! Secrets that the server issues: 256 random bits behind a typed prefix, kept as a SHA-256 alone.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// What a secret opens. Its prefix tells the extractors, and secret scanners, apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecretKind {
    /// An OAuth access token.
    Access,
    /// An OAuth refresh token.
    Refresh,
    /// An OAuth authorization code.
    Code,
    /// The one-time link of an invitation.
    Invitation,
    /// The one-time link of the first set-up.
    SetUp,
    /// A browser session.
    Session,
    /// A personal access token.
    Token,
}

impl SecretKind {
    /// Every kind.
    pub const ALL: [Self; 7] =
        [Self::Access, Self::Refresh, Self::Code, Self::Invitation, Self::SetUp, Self::Session, Self::Token];

    /// What the text of such a secret begins with.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Access => "cs_at_",
            Self::Refresh => "cs_rt_",
            Self::Code => "cs_ac_",
            Self::Invitation => "cs_in_",
            Self::SetUp => "cs_st_",
            Self::Session => "cs_ss_",
            Self::Token => "cs_pat_",
        }
    }

    /// The kind that `text` claims to be by its prefix.
    pub fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| text.starts_with(kind.prefix()))
    }
}

/// How many random bytes a secret holds.
pub const SECRET_BYTES: usize = 32;

/// 32 bytes as base64url without padding (RFC 4648 §5).
const ENCODED: usize = 43;

/// A secret in the clear: from the caller's request, or fresh on its way to them.
/// It has no `Display`, and its `Debug` shows the kind alone.
#[derive(Clone)]
pub struct Secret {
    kind: SecretKind,
    text: String,
}

impl Secret {
    /// Makes the text of a fresh secret from random bytes.
    pub fn new(kind: SecretKind, random: [u8; SECRET_BYTES]) -> Self {
        Self { kind, text: format!("{}{}", kind.prefix(), URL_SAFE_NO_PAD.encode(random)) }
    }

    /// Reads a secret of one kind; every other prefix, length or alphabet is none.
    pub fn parse(kind: SecretKind, text: &str) -> Option<Self> {
        let body = text.strip_prefix(kind.prefix())?;
        let whole = body.len() == ENCODED
            && URL_SAFE_NO_PAD.decode(body).is_ok_and(|bytes| bytes.len() == SECRET_BYTES);
        whole.then(|| Self { kind, text: text.to_owned() })
    }

    /// The kind.
    pub const fn kind(&self) -> SecretKind {
        self.kind
    }

    /// The text, for the one answer that hands it out.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// What the store keeps, and looks for.
    pub fn hash(&self) -> SecretHash {
        SecretHash::of(&self.text)
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secret({}…)", self.kind.prefix())
    }
}

/// The SHA-256 of a secret. Equality takes the same time wherever two hashes differ.
#[derive(Clone)]
pub struct SecretHash([u8; 32]);

impl SecretHash {
    /// Hashes any text that is kept like a secret.
    pub fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// The bytes, as the store's columns take them.
    pub fn to_vec(&self) -> Vec<u8> {
        self.0.to_vec()
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether `stored` is this hash, in constant time.
    pub fn matches(&self, stored: &[u8]) -> bool {
        same(&self.0, stored)
    }
}

impl PartialEq for SecretHash {
    fn eq(&self, other: &Self) -> bool {
        self.matches(&other.0)
    }
}

impl Eq for SecretHash {}

impl std::fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretHash(…)")
    }
}

/// Random bytes as text, for what needs no kind of its own, such as the token of a form.
pub fn random_text(random: [u8; SECRET_BYTES]) -> String {
    URL_SAFE_NO_PAD.encode(random)
}

/// Whether two byte strings are the same, in time that depends on their lengths alone.
pub fn same(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_back_by_its_own_kind_alone() {
        for kind in SecretKind::ALL {
            let secret = Secret::new(kind, [0xa5; 32]);
            for other in SecretKind::ALL {
                let read = Secret::parse(other, secret.reveal());
                assert_eq!(read.is_some(), other == kind, "{kind:?} read as {other:?}");
            }
            assert_eq!(SecretKind::of(secret.reveal()), Some(kind));
        }
    }

    #[test]
    fn what_is_not_256_bits_of_base64url_is_no_secret() {
        let good = Secret::new(SecretKind::Session, [7; 32]).reveal().to_owned();
        let short = &good[..good.len() - 1];
        let padded = format!("{good}=");
        let foreign = good.replace("BwcH", "Bw/H");
        for text in ["", "cs_ss_", short, &padded, &foreign, &good.to_uppercase()] {
            assert!(Secret::parse(SecretKind::Session, text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_secret_never_shows_in_debug_output() {
        let secret = Secret::new(SecretKind::Token, [1; 32]);
        assert_eq!(format!("{secret:?} {:?}", secret.hash()), "Secret(cs_pat_…) SecretHash(…)");
    }

    #[test]
    fn the_hash_is_sha_256_of_the_whole_text() {
        // The answer for "abc" in the examples of FIPS 180-4.
        let known = [0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea];
        assert_eq!(SecretHash::of("abc").to_vec()[..8], known);
        assert!(SecretHash::of("abc").matches(&SecretHash::of("abc").to_vec()));
        assert!(!SecretHash::of("abc").matches(&SecretHash::of("abd").to_vec()));
        assert!(!SecretHash::of("abc").matches(&[]));
    }
}
