//! Ed25519 keys: the public one in a line, the secret one in an OpenSSH key file without passphrase.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use ed25519_dalek::SigningKey;
use sha2::{Digest as _, Sha256};

use super::armor;
use super::wire::{Reader, Writer};

pub(super) const KIND: &[u8] = b"ssh-ed25519";
const FILE_LABEL: &str = "OPENSSH PRIVATE KEY";
const FILE_MAGIC: &[u8] = b"openssh-key-v1\0";
/// What an unencrypted file is padded to, with 1, 2, 3 and so on.
const BLOCK: usize = 8;

/// A public key of Ed25519.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    pub(crate) const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(super) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub(super) fn blob(&self) -> Vec<u8> {
        Writer::default().string(KIND).string(&self.0).0
    }

    pub(super) fn from_blob(blob: &[u8]) -> Option<Self> {
        let mut reader = Reader(blob);
        reader.literal_string(KIND)?;
        let key = reader.string()?.try_into().ok()?;
        reader.end()?;
        Some(Self(key))
    }

    /// Reads `ssh-ed25519 AAAA… comment`.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        if words.next()?.as_bytes() != KIND {
            return None;
        }
        Self::from_blob(&STANDARD.decode(words.next()?).ok()?)
    }

    /// The fingerprint, as `ssh-keygen -l` prints it.
    pub fn fingerprint(&self) -> String {
        format!("SHA256:{}", STANDARD_NO_PAD.encode(Sha256::digest(self.blob())))
    }
}

impl std::fmt::Display for PublicKey {
    /// `ssh-ed25519 AAAA…`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ssh-ed25519 {}", STANDARD.encode(self.blob()))
    }
}

/// A secret key as an OpenSSH key file.
pub(crate) fn to_file(key: &SigningKey, comment: &str) -> String {
    let public = PublicKey::new(key.verifying_key().to_bytes());
    // Two equal numbers tell a reader that decryption went well; nothing is encrypted here.
    let mut secret = Writer::default()
        .number(0)
        .number(0)
        .string(KIND)
        .string(public.bytes())
        .string(&key.to_keypair_bytes())
        .string(comment.as_bytes());
    for pad in (1..).take((BLOCK - secret.0.len() % BLOCK) % BLOCK) {
        secret = secret.bytes(&[pad]);
    }
    let file = Writer::default()
        .bytes(FILE_MAGIC)
        .string(b"none")
        .string(b"none")
        .string(b"")
        .number(1)
        .string(&public.blob())
        .string(&secret.0);
    armor::wrap(FILE_LABEL, &file.0)
}

/// Reads an OpenSSH key file that holds one Ed25519 key without passphrase.
pub(crate) fn from_file(text: &str) -> Option<SigningKey> {
    let bytes = armor::unwrap(FILE_LABEL, text)?;
    let mut file = Reader(&bytes);
    file.literal(FILE_MAGIC)?;
    file.literal_string(b"none")?;
    file.literal_string(b"none")?;
    file.literal_string(b"")?;
    (file.number()? == 1).then_some(())?;
    let public = PublicKey::from_blob(file.string()?)?;
    let mut secret = Reader(file.string()?);
    file.end()?;
    (secret.number()? == secret.number()?).then_some(())?;
    secret.literal_string(KIND)?;
    secret.literal_string(public.bytes())?;
    let pair: &[u8; 64] = secret.string()?.try_into().ok()?;
    let key = SigningKey::from_keypair_bytes(pair).ok()?;
    (key.verifying_key().to_bytes() == *public.bytes()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: &str =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOpKR4C8v3OYlyKZgYnp9J8zC8ROb8ECKxYzdIEOVJXx test";

    #[test]
    fn a_key_is_read_back_from_its_file_and_its_line() {
        let key = SigningKey::from_bytes(&[7; 32]);
        let text = to_file(&key, "a comment");
        assert_eq!(from_file(&text).unwrap().to_bytes(), key.to_bytes());
        let public = PublicKey::new(key.verifying_key().to_bytes());
        assert_eq!(PublicKey::parse(&format!("{public} someone")), Some(public));
    }

    #[test]
    fn other_kinds_of_lines_and_files_are_not_taken_for_keys() {
        let broken = PUBLIC.replace("AAAAI", "AAAAJ");
        for line in ["", "ssh-ed25519", "ssh-rsa AAAA", &broken, "ssh-ed25519 AAAA"] {
            assert_eq!(PublicKey::parse(line), None, "{line}");
        }
        let text = to_file(&SigningKey::from_bytes(&[7; 32]), "x");
        let cut = text.replacen("AAAA", "", 1);
        for file in ["", "-----BEGIN OPENSSH PRIVATE KEY-----", &cut] {
            assert!(from_file(file).is_none(), "{file}");
        }
    }
}
