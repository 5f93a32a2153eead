//! The server's signing key, and what it and its predecessors have signed: commits, and seals of the audit log.

mod seal;

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::Arc;

use ed25519_dalek::SigningKey;

use crate::commit::{CommitBytes, CommitDraft};
use crate::error::{GitError, Result};
use crate::host::private_folder;
use crate::ssh::signature::{Detached, Purpose, sign};
use crate::ssh::{PublicKey, key};

pub use seal::SealSignature;

/// The secret key, in a file that OpenSSH reads too.
const SECRET: &str = "commit_signing";
/// The present public key, for people and other tools.
const PUBLIC: &str = "commit_signing.pub";
/// Public keys of before, one a line: what they signed stays verified.
const RETIRED: &str = "commit_signing_retired.pub";
/// Who the key belongs to in git's list of allowed signers.
const PRINCIPAL: &str = "countersign";

/// Signs commits and knows its own signatures. Cheap to clone.
#[derive(Clone)]
pub struct Signer {
    key: Arc<SigningKey>,
    retired: Arc<[PublicKey]>,
}

/// What is known of a commit's signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signature {
    /// By a key of this server, over exactly these bytes.
    Good(PublicKey),
    /// It names a key of this server, which did not sign these bytes.
    Bad,
    /// By a key, or in a form, that this server does not know.
    Unknown,
    /// There is none.
    Unsigned,
}

impl Signer {
    /// Reads the key of the folder, or makes it at the first start.
    ///
    /// To change the key, remove the secret one: its public key goes to the retired ones here.
    /// `random` is asked for the secret, and only then. Of two servers that start first at the
    /// same moment on one folder, one makes the key and both use it.
    pub fn open(folder: &Path, random: impl FnOnce(&mut [u8])) -> Result<Self> {
        private_folder(folder)?;
        let secret = folder.join(SECRET);
        if !secret.exists() {
            retire(folder)?;
            let mut seed = [0; 32];
            random(&mut seed);
            place_new(folder, &SigningKey::from_bytes(&seed))?;
        }
        let key = read_secret(&secret)?;
        let signer = Self { key: Arc::new(key), retired: read_retired(&folder.join(RETIRED))?.into() };
        let (public, line) = (folder.join(PUBLIC), format!("{} {PRINCIPAL}\n", signer.public()));
        if std::fs::read_to_string(&public).is_ok_and(|there| there == line) {
            return Ok(signer);
        }
        std::fs::write(&public, line).map_err(GitError::disk("write", public))?;
        Ok(signer)
    }

    /// The present public key.
    pub fn public(&self) -> PublicKey {
        PublicKey::new(self.key.verifying_key().to_bytes())
    }

    /// Signs a commit: its bytes are final, and so is its id.
    pub fn sign(&self, draft: &CommitDraft) -> Result<CommitBytes> {
        draft.with_signature(&sign(&self.key, Purpose::Git, &draft.unsigned()))
    }

    /// The lines that make `git verify-commit` know this server, old keys included:
    /// put them into the file that `gpg.ssh.allowedSignersFile` names.
    pub fn allowed_signers(&self) -> String {
        let line = |key| format!("{PRINCIPAL} namespaces=\"git\" {key}\n");
        self.keys().map(line).collect()
    }

    /// Verifies the signature of a commit object, byte for byte.
    pub fn verify(&self, commit: &[u8]) -> Signature {
        let Some((armored, signed)) = split_signature(commit) else { return Signature::Unsigned };
        let Some(detached) = Detached::parse(Purpose::Git, &armored) else { return Signature::Unknown };
        if !self.keys().any(|key| key == detached.key) {
            Signature::Unknown
        } else if detached.fits(&signed) {
            Signature::Good(detached.key)
        } else {
            Signature::Bad
        }
    }

    fn keys(&self) -> impl Iterator<Item = PublicKey> + '_ {
        std::iter::once(self.public()).chain(self.retired.iter().copied())
    }
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Signer").field("public", &self.public()).finish_non_exhaustive()
    }
}

/// Splits a commit object into the text of its `gpgsig` header and the bytes without that header.
fn split_signature(commit: &[u8]) -> Option<(String, Vec<u8>)> {
    let headers = commit.windows(2).position(|two| two == b"\n\n")? + 1;
    let mut armored = String::new();
    let mut signed = Vec::with_capacity(commit.len());
    let mut inside = false;
    for line in commit[..headers].split_inclusive(|b| *b == b'\n') {
        inside = if inside { line.starts_with(b" ") } else { line.starts_with(b"gpgsig ") };
        if inside {
            let start = line.iter().position(|b| *b == b' ')? + 1;
            armored.push_str(std::str::from_utf8(&line[start..]).ok()?);
        } else {
            signed.extend_from_slice(line);
        }
    }
    signed.extend_from_slice(&commit[headers..]);
    (!armored.is_empty()).then_some((armored, signed))
}

/// Puts a key in its place unless one is there: linked, so that nobody ever reads half a key.
fn place_new(folder: &Path, key: &SigningKey) -> Result<()> {
    let text = key::to_file(key, PRINCIPAL);
    // Named after the key, which nobody else has: a process id may be that of another machine.
    let name = PublicKey::new(key.verifying_key().to_bytes()).fingerprint().replace(['/', ':'], "_");
    let fresh = folder.join(format!("{SECRET}.{name}.new"));
    let wrong = |source| GitError::disk("write", fresh.clone())(source);
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh).map_err(wrong)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(wrong)?;
    let linked = std::fs::hard_link(&fresh, folder.join(SECRET));
    std::fs::remove_file(&fresh).map_err(wrong)?;
    match linked {
        Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(GitError::disk("write", folder.join(SECRET))(e))
        }
        Ok(()) | Err(_) => {
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(GitError::disk("sync", folder))
        }
    }
}

/// Keeps the public key of a secret one that was removed.
fn retire(folder: &Path) -> Result<()> {
    let (public, retired) = (folder.join(PUBLIC), folder.join(RETIRED));
    let Ok(line) = std::fs::read_to_string(&public) else { return Ok(()) };
    let Some(key) = PublicKey::parse(&line) else { return Ok(()) };
    if read_retired(&retired)?.contains(&key) {
        return Ok(());
    }
    let file = OpenOptions::new().append(true).create(true).open(&retired);
    let written = file.and_then(|mut file| writeln!(file, "{key}").and_then(|()| file.sync_all()));
    written.map_err(GitError::disk("write", retired))
}

fn read_secret(path: &Path) -> Result<SigningKey> {
    let wrong = |reason: &str| GitError::Key { path: path.to_owned(), reason: reason.to_owned() };
    let mode = std::fs::metadata(path).map_err(GitError::disk("read", path))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(wrong("others on this machine can read it (its mode must be 0600)"));
    }
    let text = std::fs::read_to_string(path).map_err(GitError::disk("read", path))?;
    key::from_file(&text)
        .ok_or_else(|| wrong("it is not an OpenSSH key file with an Ed25519 key without passphrase"))
}

fn read_retired(path: &Path) -> Result<Vec<PublicKey>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(GitError::disk("read", path)(e)),
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let key = |line: &str| {
        let reason = format!("{line:?} is not a public key of Ed25519");
        PublicKey::parse(line).ok_or_else(|| GitError::Key { path: path.to_owned(), reason })
    };
    lines.map(key).collect()
}
