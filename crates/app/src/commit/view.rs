//! One commit: header, message, signature, changes.

use countersign_core::id::{ProposalId, ResourceId};
use countersign_core::time::Timestamp;

use crate::diff::view::FileDiff;

/// What is known of a commit's signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureState {
    /// Signed by a key of this server, and the bytes are the ones that were signed.
    Good {
        /// The SHA-256 fingerprint of the key, as `ssh-keygen -l` prints it.
        fingerprint: String,
    },
    /// There is a signature of this server's key that does not fit the bytes.
    Bad,
    /// There is a signature by a key or in a format that this server does not know.
    Unknown,
    /// There is none.
    Missing,
}

/// A person in a commit header.
#[derive(Clone, Debug)]
pub struct Signer {
    /// The name.
    pub name: String,
    /// The mail address.
    pub mail: String,
    /// When.
    pub at: Timestamp,
}

/// One commit page.
#[derive(Clone, Debug)]
pub struct CommitView {
    /// The repository.
    pub repository_id: ResourceId,
    /// Its name.
    pub repository: String,
    /// The commit.
    pub oid: String,
    /// Its parents.
    pub parents: Vec<String>,
    /// Who wrote it.
    pub author: Signer,
    /// Who committed it: for an approved proposal the decider.
    pub committer: Signer,
    /// The first line.
    pub title: String,
    /// What follows it, trailers included.
    pub body: String,
    /// What is known of its signature.
    pub signature: SignatureState,
    /// The line for git's allowed signers file that makes `git verify-commit` know this server.
    pub allowed_signers: Option<String>,
    /// The address to clone from.
    pub clone_url: String,
    /// The proposal that it carries out.
    pub proposal: Option<ProposalId>,
    /// What changed against its first parent; a bounded number of files.
    pub files: Vec<FileDiff>,
    /// Whether more files changed than are listed.
    pub more: bool,
}
