//! Tags: their names, and the commit that each leads to.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use gix::objs::Kind;

use crate::bounded::MOST_TAG;
use crate::error::{GitError, Result};
use crate::refs::{BranchTip, Branches, MOST_BRANCHES, holding};
use crate::repo::{Repo, from_gix, to_gix};

/// How many tags of tags are followed.
const MOST_TAGS_OF_TAGS: usize = 10;

impl Repo {
    /// The last `most` of the tags that lead to a commit, in the order of their names. A tag's name has the rules of a
    /// branch's.
    pub fn tags(&self, most: usize) -> Result<Branches> {
        self.tags_with("", most, &AtomicBool::new(false))
    }

    /// Those whose names hold `part`, whatever its case, as far as they were seen when `stop` was raised. All names are
    /// looked at and the last [`MOST_BRANCHES`] kept; objects are read of those alone that are given.
    pub fn tags_with(&self, part: &str, most: usize, stop: &AtomicBool) -> Result<Branches> {
        let refs = self.gix.references().map_err(GitError::engine("list refs"))?;
        let (holds, mut names, mut list) = (holding(part), VecDeque::new(), Branches::default());
        for found in refs.tags().map_err(GitError::engine("list tags"))? {
            let found = found.map_err(GitError::engine("read a tag"))?;
            let Ok(name) = BranchName::parse(&found.name().shorten().to_string()) else { continue };
            let Some(id) = found.try_id().filter(|_| holds(&name)) else { continue };
            names.push_back((name, from_gix(&id)?));
            if names.len() > MOST_BRANCHES {
                names.pop_front();
                list.truncated = true;
            }
            if stop.load(Ordering::Relaxed) {
                list.truncated = true;
                break;
            }
        }
        for (name, oid) in names.into_iter().rev() {
            if list.items.len() == most {
                list.truncated = true;
                break;
            }
            list.items.extend(self.peel(oid)?.map(|tip| BranchTip { name, tip }));
        }
        list.items.reverse();
        Ok(list)
    }

    /// The commits that tags lead to, all of them, whatever their names.
    pub(crate) fn tips_of_tags(&self, stop: &AtomicBool) -> Result<Vec<Oid>> {
        let refs = self.gix.references().map_err(GitError::engine("list refs"))?;
        let mut tips = Vec::new();
        for found in refs.tags().map_err(GitError::engine("list tags"))? {
            if stop.load(Ordering::Relaxed) {
                return Err(GitError::TooFar);
            }
            let found = found.map_err(GitError::engine("read a tag"))?;
            if let Some(id) = found.try_id() {
                tips.extend(self.peel(from_gix(&id)?)?);
            }
        }
        Ok(tips)
    }

    /// The commit that a tag leads to, or `None` where there is no such tag, or it is one of something else.
    pub fn tag(&self, name: &BranchName) -> Result<Option<Oid>> {
        let full = format!("refs/tags/{name}");
        let found = self.gix.try_find_reference(&full).map_err(GitError::engine("read a tag"))?;
        match found.as_ref().and_then(gix::Reference::try_id) {
            Some(id) => self.peel(from_gix(&id)?),
            None => Ok(None),
        }
    }

    /// The commit that an object is or, as an annotated tag, leads to. Nothing is read before its kind and size are
    /// known: a tag can be set on anything.
    fn peel(&self, oid: Oid) -> Result<Option<Oid>> {
        let wrong = "read a tag";
        let mut here = oid;
        for _ in 0..MOST_TAGS_OF_TAGS {
            let header = self.gix.try_find_header(to_gix(here)).map_err(GitError::engine(wrong))?;
            let Some(header) = header else { return Ok(None) };
            match header.kind() {
                Kind::Commit => return Ok(Some(here)),
                Kind::Tag if header.size() <= MOST_TAG => {}
                Kind::Tag | Kind::Blob | Kind::Tree => return Ok(None),
            }
            let tag = self.gix.find_tag(to_gix(here)).map_err(GitError::engine(wrong))?;
            here = from_gix(&tag.target_id().map_err(GitError::engine(wrong))?)?;
        }
        Ok(None)
    }
}
