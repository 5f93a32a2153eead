//! Tags: their names, and the commit that each leads to.

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use gix::objs::Kind;

use crate::error::{GitError, Result};
use crate::refs::{BranchTip, Branches, MOST_BRANCHES};
use crate::repo::{Repo, from_gix};

impl Repo {
    /// The last `most` of the tags that lead to a commit, in the order of their names. At most as many names are
    /// read as of branches, and only the objects of those that are given. A tag's name has the rules of a branch's.
    pub fn tags(&self, most: usize) -> Result<Branches> {
        let refs = self.gix.references().map_err(GitError::engine("list refs"))?;
        let (mut names, mut list) = (Vec::new(), Branches::default());
        for found in refs.tags().map_err(GitError::engine("list tags"))? {
            let found = found.map_err(GitError::engine("read a tag"))?;
            let Ok(name) = BranchName::parse(&found.name().shorten().to_string()) else { continue };
            let Some(id) = found.try_id() else { continue };
            if names.len() == MOST_BRANCHES {
                list.truncated = true;
                break;
            }
            names.push((name, from_gix(&id)?));
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

    /// The commit that a tag leads to, or `None` where there is no such tag, or it is one of something else.
    pub fn tag(&self, name: &BranchName) -> Result<Option<Oid>> {
        let full = format!("refs/tags/{name}");
        let found = self.gix.try_find_reference(&full).map_err(GitError::engine("read a tag"))?;
        match found.as_ref().and_then(gix::Reference::try_id) {
            Some(id) => self.peel(from_gix(&id)?),
            None => Ok(None),
        }
    }

    /// The commit that an object is or, as an annotated tag, leads to.
    fn peel(&self, oid: Oid) -> Result<Option<Oid>> {
        let wrong = "read a tag";
        let object = self.gix.find_object(crate::repo::to_gix(oid)).map_err(GitError::engine(wrong))?;
        let object = object.peel_tags_to_end().map_err(GitError::engine(wrong))?;
        if object.kind == Kind::Commit { from_gix(&object.id).map(Some) } else { Ok(None) }
    }
}
