//! Commits: one with all that it says, and those between two points.

use countersign_core::gitnest::oid::Oid;
use countersign_core::time::Timestamp;
use gix::bstr::{BStr, ByteSlice as _};
use gix::objs::CommitRef;

use crate::error::{GitError, Result};
use crate::repo::{Repo, from_gix, to_gix};

/// How many bytes a commit object may have.
const MOST_COMMIT_BYTES: u64 = 1 << 20;

/// A person in a commit header, as somebody wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The name.
    pub name: String,
    /// The mail address.
    pub mail: String,
    /// When; the time zone is left out.
    pub at: Timestamp,
}

/// A commit with everything that it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitInfo {
    /// Its id.
    pub oid: Oid,
    /// The whole content.
    pub tree: Oid,
    /// The commits before it.
    pub parents: Vec<Oid>,
    /// Who wrote the change.
    pub author: Stamp,
    /// Who let it in.
    pub committer: Stamp,
    /// What it says, whole.
    pub message: String,
    /// The object, byte for byte: what a signature is checked against.
    pub bytes: Vec<u8>,
}

impl CommitInfo {
    /// The first line of its message.
    pub fn title(&self) -> &str {
        self.message.trim_start().lines().next().unwrap_or_default().trim_end()
    }

    /// What follows the first line.
    pub fn body(&self) -> &str {
        self.message.trim_start().split_once('\n').map_or("", |(_, rest)| rest).trim()
    }
}

/// Some commits, and whether there are more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commits {
    /// The latest first.
    pub items: Vec<CommitInfo>,
    /// Whether the list was cut off.
    pub more: bool,
}

impl Repo {
    /// Reads one commit; `None` where there is no such object or it is something else.
    pub fn commit(&self, oid: Oid) -> Result<Option<CommitInfo>> {
        let header = self.gix.try_find_header(to_gix(oid)).map_err(GitError::engine("look for a commit"))?;
        let Some(header) = header.filter(|header| header.kind() == gix::objs::Kind::Commit) else {
            return Ok(None);
        };
        if header.size() > MOST_COMMIT_BYTES {
            return Err(GitError::TooMuch { what: "a commit" });
        }
        let commit = self.gix.find_commit(to_gix(oid)).map_err(GitError::engine("read a commit"))?;
        read(oid, &commit.data).map(Some)
    }

    /// The commits that `tip` has and `base` has not, the latest first, at most `limit`.
    pub fn commits_between(&self, base: Oid, tip: Oid, limit: usize) -> Result<Commits> {
        let order = gix::traverse::commit::simple::CommitTimeOrder::NewestFirst;
        let walk = self
            .gix
            .rev_walk([to_gix(tip)])
            .with_hidden([to_gix(base)])
            .sorting(gix::revision::walk::Sorting::ByCommitTime(order))
            .selected(self.readable()?)
            .map_err(GitError::engine("walk the history"))?;
        let mut seen = Commits::default();
        for found in walk {
            let found = found.map_err(GitError::engine("walk the history"))?;
            if seen.items.len() == limit {
                seen.more = true;
                break;
            }
            let oid = from_gix(&found.id)?;
            seen.items.extend(self.commit(oid)?);
        }
        Ok(seen)
    }
}

fn read(oid: Oid, bytes: &[u8]) -> Result<CommitInfo> {
    let damaged = || GitError::Damaged { what: format!("commit {oid}") };
    let commit = CommitRef::from_bytes(bytes, gix::hash::Kind::Sha1).map_err(|_| damaged())?;
    let stamp = |header: &BStr| {
        let signature = gix::actor::SignatureRef::from_bytes(header).map_err(|_| damaged())?.trim();
        Ok::<_, GitError>(Stamp {
            name: signature.name.to_str_lossy().into_owned(),
            mail: signature.email.to_str_lossy().into_owned(),
            at: Timestamp::from_millis(signature.seconds().saturating_mul(1000)),
        })
    };
    let parents = commit.parents().map(|parent| from_gix(&parent)).collect::<Result<Vec<Oid>>>()?;
    Ok(CommitInfo {
        oid,
        tree: from_gix(&commit.tree())?,
        parents,
        author: stamp(commit.author)?,
        committer: stamp(commit.committer)?,
        message: commit.message.to_str_lossy().into_owned(),
        bytes: bytes.to_vec(),
    })
}
