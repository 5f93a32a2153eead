//! Seals of the audit log: signed by the key of commits, under a namespace of their own, so that neither can be taken
//! for the other (OpenSSH's PROTOCOL.sshsig; `ssh-keygen -Y verify` reads them).

use super::{PRINCIPAL, Signer};
use crate::ssh::PublicKey;
use crate::ssh::signature::{Detached, Purpose, sign};

/// What is known of a seal's signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealSignature {
    /// By a key of this server, over exactly this statement.
    Good(PublicKey),
    /// It cannot be read, or its key did not sign this statement.
    Bad,
    /// By a key that is none of this server's, present or retired.
    Unknown(PublicKey),
}

impl Signer {
    /// Signs what a seal states.
    pub fn sign_seal(&self, statement: &str) -> String {
        sign(&self.key, Purpose::AuditSeal, statement.as_bytes())
    }

    /// Verifies the signature of a seal over what it states.
    pub fn verify_seal(&self, statement: &str, armored: &str) -> SealSignature {
        let Some(detached) = Detached::parse(Purpose::AuditSeal, armored) else { return SealSignature::Bad };
        if !detached.fits(statement.as_bytes()) {
            SealSignature::Bad
        } else if self.keys().any(|key| key == detached.key) {
            SealSignature::Good(detached.key)
        } else {
            SealSignature::Unknown(detached.key)
        }
    }

    /// The lines that make `ssh-keygen -Y verify` know the seals of this server, old keys included.
    pub fn allowed_sealers(&self) -> String {
        let namespace = Purpose::AuditSeal.namespace();
        let line = |key| format!("{PRINCIPAL} namespaces=\"{namespace}\" {key}\n");
        self.keys().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer(seed: u8) -> (tempfile::TempDir, Signer) {
        let folder = tempfile::tempdir().unwrap();
        let signer = Signer::open(&folder.path().join("keys"), |bytes| bytes.fill(seed)).unwrap();
        (folder, signer)
    }

    #[test]
    fn a_seal_is_good_for_what_it_states_and_by_whom_it_was_signed() {
        let ((_one, ours), (_other, theirs)) = (signer(1), signer(2));
        let armored = ours.sign_seal("seal 1\n");
        assert_eq!(ours.verify_seal("seal 1\n", &armored), SealSignature::Good(ours.public()));
        assert_eq!(ours.verify_seal("seal 2\n", &armored), SealSignature::Bad);
        assert_eq!(ours.verify_seal("seal 1\n", "nothing"), SealSignature::Bad);
        assert_eq!(theirs.verify_seal("seal 1\n", &armored), SealSignature::Unknown(ours.public()));
    }

    #[test]
    fn neither_a_commit_nor_a_seal_is_taken_for_the_other() {
        let (_folder, signer) = signer(1);
        let text = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nmessage\n";
        let as_git = sign(&signer.key, Purpose::Git, text.as_bytes());
        assert_eq!(signer.verify_seal(text, &as_git), SealSignature::Bad);
        let as_seal = signer.sign_seal(text);
        let header = as_seal.trim_end().replace('\n', "\n ");
        let commit = text.replacen("\n\n", &format!("\ngpgsig {header}\n\n"), 1);
        assert_eq!(signer.verify(commit.as_bytes()), crate::sign::Signature::Unknown);
    }

    #[test]
    fn a_seal_of_a_retired_key_stays_good() {
        let (folder, before) = signer(1);
        let armored = before.sign_seal("seal 1\n");
        std::fs::remove_file(folder.path().join("keys/commit_signing")).unwrap();
        let after = Signer::open(&folder.path().join("keys"), |bytes| bytes.fill(2)).unwrap();
        assert_ne!(after.public(), before.public());
        assert_eq!(after.verify_seal("seal 1\n", &armored), SealSignature::Good(before.public()));
    }
}
