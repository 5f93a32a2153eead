//! What a person means by a name in an address: a branch, a tag, or a commit that one of these leads to.

use std::sync::atomic::AtomicBool;

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;

use crate::error::Result;
use crate::repo::Repo;

/// What was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A branch.
    Branch(BranchName),
    /// A tag.
    Tag(BranchName),
    /// A commit by its full id.
    Commit(Oid),
}

/// A name before anybody looked whether it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// `refs/heads/…`.
    Branch(BranchName),
    /// `refs/tags/…`.
    Tag(BranchName),
    /// A short name: a branch if there is one of that name, else a tag.
    Short(BranchName),
    /// Forty hexadecimal digits.
    Commit(Oid),
}

impl Reference {
    /// Reads a name. No text is both a commit and a branch: a branch name does not read as an object id.
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(oid) = Oid::parse(text) {
            return Some(Self::Commit(oid));
        }
        let name = |text| BranchName::parse(text).ok();
        match (text.strip_prefix("refs/heads/"), text.strip_prefix("refs/tags/")) {
            (Some(branch), _) => name(branch).map(Self::Branch),
            (None, Some(tag)) => name(tag).map(Self::Tag),
            (None, None) => name(text).map(Self::Short),
        }
    }
}

impl Repo {
    /// What is there by that name, and its commit. Never an object id as such: what neither a branch nor a tag
    /// leads to is not readable, even where it still lies in the repository. A commit is looked for until `stop` is raised.
    pub fn look_up(&self, reference: &Reference, stop: &AtomicBool) -> Result<Option<(Named, Oid)>> {
        Ok(match reference {
            Reference::Branch(name) => self.tip(name)?.map(|tip| (Named::Branch(name.clone()), tip)),
            Reference::Tag(name) => self.tag(name)?.map(|tip| (Named::Tag(name.clone()), tip)),
            Reference::Short(name) => match self.tip(name)? {
                Some(tip) => Some((Named::Branch(name.clone()), tip)),
                None => self.tag(name)?.map(|tip| (Named::Tag(name.clone()), tip)),
            },
            Reference::Commit(oid) => {
                let known = self.is_on_a_branch(*oid, stop)? || self.is_on_a_tag(*oid, stop)?;
                known.then_some((Named::Commit(*oid), *oid))
            }
        })
    }

    fn is_on_a_tag(&self, oid: Oid, stop: &AtomicBool) -> Result<bool> {
        if !self.is_commit(oid)? {
            return Ok(false);
        }
        let tips = self.tips_of_tags(stop)?;
        if tips.is_empty() { Ok(false) } else { self.reaches(&tips, oid, stop) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_commit_a_full_ref_or_a_short_one() {
        let name = |text: &str| BranchName::parse(text).unwrap();
        let oid = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        assert_eq!(Reference::parse(oid), Some(Reference::Commit(Oid::parse(oid).unwrap())));
        assert_eq!(Reference::parse("refs/heads/a/b"), Some(Reference::Branch(name("a/b"))));
        assert_eq!(Reference::parse("refs/tags/v1"), Some(Reference::Tag(name("v1"))));
        assert_eq!(Reference::parse("feature/x"), Some(Reference::Short(name("feature/x"))));
        for text in ["", "HEAD", "main~1", "a..b", "refs/tags/", "-x"] {
            assert_eq!(Reference::parse(text), None, "{text}");
        }
    }
}
