//! Commits: one with all that it says, and those between two points.

use countersign_core::gitnest::oid::Oid;
use countersign_core::time::Timestamp;
use gix::bstr::{BStr, ByteSlice as _};
use gix::objs::CommitRef;

use crate::bounded::MOST_COMMIT;
use crate::error::{GitError, Result};
use crate::repo::{Repo, from_gix, to_gix};

/// How many bytes a commit may have that is shown whole.
const MOST_COMMIT_BYTES: u64 = 1 << 20;
/// How many bytes one may have that is given whole in a list.
const MOST_LISTED_BYTES: u64 = 64 << 10;
/// How many characters of names and of the first line are given of a larger one, and how many parents.
const MOST_LISTED: usize = 300;

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
    /// The object, byte for byte: what a signature is checked against. Empty where it was cut for a list.
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
        let Some(size) = self.size_of_commit(oid)? else { return Ok(None) };
        if size > MOST_COMMIT_BYTES {
            return Err(GitError::TooMuch { what: "a commit" });
        }
        let commit = self.gix.find_commit(to_gix(oid)).map_err(GitError::engine("read a commit"))?;
        read(oid, &commit.data).map(Some)
    }

    /// The same for a list, where one commit must not be in the way of the others: a large one is cut to its first
    /// line and has no bytes, and one too large to be read is `None`.
    pub fn commit_line(&self, oid: Oid) -> Result<Option<CommitInfo>> {
        let Some(size) = self.size_of_commit(oid)?.filter(|size| *size <= MOST_COMMIT) else {
            return Ok(None);
        };
        let info = read(oid, &self.small_commit(oid)?.data)?;
        Ok(Some(if size > MOST_LISTED_BYTES { cut(info) } else { info }))
    }

    /// When a commit was let in; `None` where there is none or it is too large to be read.
    pub fn commit_time(&self, oid: Oid) -> Result<Option<Timestamp>> {
        if self.size_of_commit(oid)?.is_none_or(|size| size > MOST_COMMIT) {
            return Ok(None);
        }
        let time = self.small_commit(oid)?.time().map_err(GitError::engine("read a commit"))?;
        Ok(Some(Timestamp::from_millis(time.seconds.saturating_mul(1000))))
    }

    /// How many bytes a commit has; `None` where there is no such object or it is something else.
    fn size_of_commit(&self, oid: Oid) -> Result<Option<u64>> {
        let header = self.gix.try_find_header(to_gix(oid)).map_err(GitError::engine("look for a commit"))?;
        Ok(header.filter(|header| header.kind() == gix::objs::Kind::Commit).map(|header| header.size()))
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
            seen.items.extend(self.commit_line(oid)?);
        }
        Ok(seen)
    }
}

/// What a list shows of a large commit.
fn cut(info: CommitInfo) -> CommitInfo {
    let short = |text: &str| text.chars().take(MOST_LISTED).collect::<String>();
    let stamp = |stamp: Stamp| Stamp { name: short(&stamp.name), mail: short(&stamp.mail), at: stamp.at };
    CommitInfo {
        message: short(info.title()),
        parents: info.parents.into_iter().take(MOST_LISTED).collect(),
        author: stamp(info.author),
        committer: stamp(info.committer),
        bytes: Vec::new(),
        oid: info.oid,
        tree: info.tree,
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
