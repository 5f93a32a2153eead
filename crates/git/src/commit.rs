//! Commits as bytes: built in process, written as they are, the same bytes again after a crash.

use countersign_core::gitnest::identity::Identity;
use countersign_core::gitnest::message::CommitMessage;
use countersign_core::gitnest::oid::Oid;
use countersign_core::time::Timestamp;
use gix::objs::Kind;

use crate::error::{GitError, Result};
use crate::repo::{Repo, from_gix};

/// Everything that a commit says, before it is signed. Nothing in it is read from a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitDraft {
    /// The whole content.
    pub tree: Oid,
    /// The commit before; only a repository's first commit has none.
    pub parent: Option<Oid>,
    /// Who wrote the change.
    pub author: Identity,
    /// When it was written.
    pub author_time: Timestamp,
    /// Who let it in.
    pub committer: Identity,
    /// When it was let in.
    pub commit_time: Timestamp,
    /// What it says.
    pub message: CommitMessage,
}

/// The exact bytes of a commit object, and the id that follows from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitBytes {
    bytes: Vec<u8>,
    oid: Oid,
}

impl CommitDraft {
    /// The bytes that are signed, which are also a whole commit without a signature.
    pub fn unsigned(&self) -> Vec<u8> {
        format!("{}\n{}", self.headers(), self.message.as_str()).into_bytes()
    }

    /// The commit with `armored`, a signature of [`Self::unsigned`], in its `gpgsig` header.
    pub fn with_signature(&self, armored: &str) -> Result<CommitBytes> {
        let folded = armored.trim_end().replace('\n', "\n ");
        CommitBytes::of(
            format!("{}gpgsig {folded}\n\n{}", self.headers(), self.message.as_str()).into_bytes(),
        )
    }

    fn headers(&self) -> String {
        let parent = self.parent.map_or_else(String::new, |parent| format!("parent {parent}\n"));
        let author = format!("author {} {} +0000\n", self.author, self.author_time.seconds().max(0));
        let committer = format!("committer {} {} +0000\n", self.committer, self.commit_time.seconds().max(0));
        format!("tree {}\n{parent}{author}{committer}", self.tree)
    }
}

impl CommitBytes {
    /// Takes bytes that read as a commit, such as those stored before a crash.
    pub fn of(bytes: Vec<u8>) -> Result<Self> {
        let damaged = || GitError::Damaged { what: "a stored commit".into() };
        gix::objs::CommitRef::from_bytes(&bytes, gix::hash::Kind::Sha1).map_err(|_| damaged())?;
        let oid =
            gix::objs::compute_hash(gix::hash::Kind::Sha1, Kind::Commit, &bytes).map_err(|_| damaged())?;
        Ok(Self { oid: from_gix(&oid)?, bytes })
    }

    /// The bytes of the object.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The id of the object.
    pub const fn oid(&self) -> Oid {
        self.oid
    }
}

impl Repo {
    /// Writes the commit object, which nothing names yet.
    pub fn write_commit(&self, commit: &CommitBytes) -> Result<()> {
        write_commit(&self.gix.objects, commit)
    }
}

pub(crate) fn write_commit(objects: &impl gix::objs::Write, commit: &CommitBytes) -> Result<()> {
    let written = objects.write_buf(Kind::Commit, &commit.bytes);
    if from_gix(&written.map_err(GitError::engine("write the commit"))?)? == commit.oid {
        Ok(())
    } else {
        Err(GitError::Damaged { what: "a written commit".into() })
    }
}
