//! Naming a commit: a branch, or the full id of a commit that a branch leads to.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use countersign_core::gitnest::branch::{BranchName, NotABranchName};
use countersign_core::gitnest::oid::Oid;

use crate::error::{GitError, Result};
use crate::repo::{Repo, from_gix, to_gix};

/// What a reader may name. Never an object id as such: what no branch leads to is not readable,
/// even where it still lies in the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revision {
    /// The commit at a branch's tip.
    Branch(BranchName),
    /// One commit.
    Commit(Oid),
}

impl Revision {
    /// Reads forty hexadecimal digits as a commit, everything else as a branch, with or without
    /// `refs/heads/`. No text is both: a branch name does not read as an object id.
    pub fn parse(text: &str) -> std::result::Result<Self, NotABranchName> {
        match Oid::parse(text) {
            Ok(oid) => Ok(Self::Commit(oid)),
            Err(_) => BranchName::parse(text.strip_prefix("refs/heads/").unwrap_or(text)).map(Self::Branch),
        }
    }
}

impl Repo {
    /// The commit that is named, or `None` where no branch has that name or leads there. A commit is looked for until
    /// `stop` is raised.
    pub fn resolve(&self, revision: &Revision, stop: &AtomicBool) -> Result<Option<Oid>> {
        match revision {
            Revision::Branch(branch) => self.tip(branch),
            Revision::Commit(oid) => Ok(self.is_on_a_branch(*oid, stop)?.then_some(*oid)),
        }
    }

    /// Whether there is a commit of that id.
    pub(crate) fn is_commit(&self, oid: Oid) -> Result<bool> {
        let header = self.gix.try_find_header(to_gix(oid)).map_err(GitError::engine("look for a commit"))?;
        Ok(header.is_some_and(|header| header.kind() == gix::objs::Kind::Commit))
    }

    /// Whether any branch leads to the commit; it is looked for until `stop` is raised.
    pub(crate) fn is_on_a_branch(&self, oid: Oid, stop: &AtomicBool) -> Result<bool> {
        if !self.is_commit(oid)? {
            return Ok(false);
        }
        let refs = self.gix.references().map_err(GitError::engine("list refs"))?;
        let mut tips = HashSet::new();
        for found in refs.local_branches().map_err(GitError::engine("list branches"))? {
            let found = found.map_err(GitError::engine("read a branch"))?;
            if let Some(id) = found.try_id() {
                tips.insert(from_gix(&id)?);
            }
        }
        let tips: Vec<Oid> = tips.into_iter().collect();
        self.reaches(&tips, oid, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_is_a_full_commit_id_or_a_branch() {
        let branch = |name: &str| Revision::Branch(BranchName::parse(name).unwrap());
        assert_eq!(Revision::parse("refs/heads/a/b").unwrap(), branch("a/b"));
        assert_eq!(Revision::parse("deadbeef").unwrap(), branch("deadbeef"));
        let oid = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        assert_eq!(Revision::parse(oid).unwrap(), Revision::Commit(Oid::parse(oid).unwrap()));
        for text in ["HEAD", "main~1", "main^{tree}", "main:src", "@{u}", "..", ""] {
            assert!(Revision::parse(text).is_err(), "{text}");
        }
    }
}
