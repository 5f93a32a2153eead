//! One commit and its signature over the REST API: `GET /api/v1/repositories/{id}/commits/{oid}`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::proposal::FileChange;
use crate::id::{ProposalId, ResourceId};
use crate::time::Timestamp;

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommitFacts {
    /// The repository.
    pub repository_id: ResourceId,
    /// Its name.
    pub repository: String,
    /// The commit.
    pub oid: String,
    /// Its parents.
    pub parents: Vec<String>,
    /// Who wrote it.
    pub author: CommitPerson,
    /// Who committed it: of an approved proposal the decider.
    pub committer: CommitPerson,
    /// The first line of the message.
    pub title: String,
    /// The rest of the message, trailers included.
    pub body: String,
    /// What is known of its signature.
    pub signature: Signature,
    /// The line for git's allowed signers file that makes `git verify-commit` know this server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_signers: Option<String>,
    /// The proposal that it carries out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<ProposalId>,
    /// What changed against its first parent; a bounded number of files.
    #[serde(default)]
    pub changes: Vec<FileChange>,
    /// Whether more files changed than are listed.
    #[serde(default)]
    pub more_changes: bool,
}

/// A person in a commit header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommitPerson {
    /// The name.
    pub name: String,
    /// The mail address.
    pub mail: String,
    /// When.
    pub at: Timestamp,
}

/// What is known of a signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Signature {
    /// By a key of this server, over these bytes.
    Good {
        /// The SHA-256 fingerprint of the key, as `ssh-keygen -l` prints it.
        fingerprint: String,
    },
    /// By a key of this server, over other bytes.
    Bad,
    /// By a key or in a format that this server does not know.
    Unknown,
    /// There is none.
    Missing,
}
