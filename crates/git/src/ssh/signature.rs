//! Detached signatures: OpenSSH's PROTOCOL.sshsig, with Ed25519 and SHA-512.

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256, Sha512};

use super::armor;
use super::key::{KIND, PublicKey};
use super::wire::{Reader, Writer};

const LABEL: &str = "SSH SIGNATURE";
const MAGIC: &[u8] = b"SSHSIG";
const VERSION: u32 = 1;
/// What a signature is for. The namespace is part of what is signed: made for one, it is good for no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Objects of git.
    Git,
    /// Seals of the audit log.
    AuditSeal,
}

impl Purpose {
    /// The namespace; those that are not of a published format carry a domain.
    pub(crate) const fn namespace(self) -> &'static str {
        match self {
            Self::Git => "git",
            Self::AuditSeal => "audit-seal@countersign",
        }
    }
}

/// A signature whose form is understood; whether it is good is another question.
pub(crate) struct Detached {
    /// The key that it names.
    pub(crate) key: PublicKey,
    purpose: Purpose,
    hash: Hash,
    signature: Signature,
}

enum Hash {
    Sha256,
    Sha512,
}

impl Hash {
    const fn name(&self) -> &'static [u8] {
        match self {
            Self::Sha256 => b"sha256",
            Self::Sha512 => b"sha512",
        }
    }

    /// What is really signed: a digest, bound to the namespace.
    fn signed(&self, purpose: Purpose, message: &[u8]) -> Vec<u8> {
        let digest = match self {
            Self::Sha256 => Sha256::digest(message).to_vec(),
            Self::Sha512 => Sha512::digest(message).to_vec(),
        };
        let start = Writer::default().bytes(MAGIC).string(purpose.namespace().as_bytes()).string(b"");
        start.string(self.name()).string(&digest).0
    }
}

/// Signs `message` for one purpose and wraps the signature as git stores it.
pub(crate) fn sign(key: &SigningKey, purpose: Purpose, message: &[u8]) -> String {
    let hash = Hash::Sha512;
    let signature = key.sign(&hash.signed(purpose, message)).to_bytes();
    let public = PublicKey::new(key.verifying_key().to_bytes());
    let blob = Writer::default()
        .bytes(MAGIC)
        .number(VERSION)
        .string(&public.blob())
        .string(purpose.namespace().as_bytes())
        .string(b"")
        .string(hash.name())
        .string(&Writer::default().string(KIND).string(&signature).0);
    armor::wrap(LABEL, &blob.0)
}

impl Detached {
    /// Reads an armored signature; `None` for what is not one of this purpose with Ed25519.
    pub(crate) fn parse(purpose: Purpose, armored: &str) -> Option<Self> {
        let bytes = armor::unwrap(LABEL, armored)?;
        let mut reader = Reader(&bytes);
        reader.literal(MAGIC)?;
        (reader.number()? == VERSION).then_some(())?;
        let key = PublicKey::from_blob(reader.string()?)?;
        reader.literal_string(purpose.namespace().as_bytes())?;
        reader.literal_string(b"")?;
        let hash = match reader.string()? {
            b"sha256" => Hash::Sha256,
            b"sha512" => Hash::Sha512,
            _ => return None,
        };
        let mut signature = Reader(reader.string()?);
        reader.end()?;
        signature.literal_string(KIND)?;
        let bytes: &[u8; 64] = signature.string()?.try_into().ok()?;
        signature.end()?;
        Some(Self { key, purpose, hash, signature: Signature::from_bytes(bytes) })
    }

    /// Whether the named key signed exactly `message`.
    pub(crate) fn fits(&self, message: &[u8]) -> bool {
        VerifyingKey::from_bytes(self.key.bytes()).is_ok_and(|key| {
            key.verify_strict(&self.hash.signed(self.purpose, message), &self.signature).is_ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by `ssh-keygen -Y sign -n git` over "hi\n".
    const BY_OPENSSH: &str = "-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgCth2yxsfrQjcoHYHeecmRwXRC5
bckG9hRfLTzVScCjkAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
AAAAQG/oC++n2mJA9EezCvwnnBu2zPbfV/bNop+USfMrbGg5dMnggwH0560CIojCUneBaV
3tx6aLwYhRZRaEseeuOgA=
-----END SSH SIGNATURE-----
";

    #[test]
    fn a_signature_of_openssh_is_good_and_of_nothing_else() {
        let detached = Detached::parse(Purpose::Git, BY_OPENSSH).unwrap();
        assert!(detached.fits(b"hi\n"));
        assert!(!detached.fits(b"hi"));
    }

    #[test]
    fn our_own_signature_is_read_back_and_fits() {
        let key = SigningKey::from_bytes(&[3; 32]);
        let detached = Detached::parse(Purpose::Git, &sign(&key, Purpose::Git, b"tree")).unwrap();
        assert_eq!(detached.key, PublicKey::new(key.verifying_key().to_bytes()));
        assert!(detached.fits(b"tree") && !detached.fits(b"trees"));
    }

    #[test]
    fn a_signature_under_another_name_is_none_of_ours() {
        let key = SigningKey::from_bytes(&[3; 32]);
        let armored = sign(&key, Purpose::Git, b"tree");
        let bytes = armor::unwrap(LABEL, &armored).unwrap();
        let at = bytes.windows(3).position(|three| three == b"git").unwrap();
        let mut other = bytes.clone();
        other[at..at + 3].copy_from_slice(b"pkg");
        assert!(Detached::parse(Purpose::Git, &armor::wrap(LABEL, &other)).is_none());
        for cut in 0..bytes.len() {
            assert!(
                Detached::parse(Purpose::Git, &armor::wrap(LABEL, &bytes[..cut])).is_none(),
                "cut at {cut}"
            );
        }
    }
}
