//! The refs that are there once a push is made, and which of them a new name would be mistaken for.

use std::collections::BTreeSet;

use super::alike::Alike;
use super::push::PushRef;

/// Names of branches and tags. What a push removes still counts: git moves one ref after the other.
#[derive(Clone, Debug, Default)]
pub struct Names {
    full: BTreeSet<String>,
    branches: Alike,
    tags: Alike,
}

impl Names {
    /// The full names of what is there and of what is made.
    pub fn new(full: impl IntoIterator<Item = String>) -> Self {
        let full: BTreeSet<String> = full.into_iter().collect();
        let below = |prefix| Alike::new(full.iter().filter_map(move |name| name.strip_prefix(prefix)));
        let (branches, tags) = (below("refs/heads/"), below("refs/tags/"));
        Self { full, branches, tags }
    }

    /// What a new branch of this short name would be taken for: another branch, or a tag, which git and people ask for
    /// by the same words (gitrevisions(7)).
    pub fn like_branch(&self, name: &str) -> Option<String> {
        let branch = self.branches.other(name).map(|other| format!("the branch {other}"));
        branch.or_else(|| self.tags.any(name).map(|tag| format!("the tag {tag}")))
    }

    /// A ref whose name is a folder of this one's, or lies below it: refs are files, and a file is no folder.
    pub fn in_the_way(&self, name: &PushRef) -> Option<&str> {
        let name = name.full();
        let above = name.match_indices('/').find_map(|(at, _)| self.full.get(&name[..at]));
        let folder = format!("{name}/");
        let below = || self.full.range(folder.clone()..).next().filter(|other| other.starts_with(&folder));
        above.or_else(below).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(full: &[&str]) -> Names {
        Names::new(full.iter().map(|&name| name.to_owned()))
    }

    #[test]
    fn a_branch_is_like_another_branch_or_any_tag_and_never_like_itself() {
        let names = names(&["refs/heads/topic", "refs/heads/Main", "refs/tags/v1"]);
        let like = |name| names.like_branch(name);
        assert_eq!(like("Topic").as_deref(), Some("the branch topic"));
        assert_eq!(like("v1").as_deref(), Some("the tag v1"));
        assert_eq!(like("V1").as_deref(), Some("the tag v1"));
        assert_eq!((like("topic"), like("v2")), (None, None));
    }

    #[test]
    fn a_ref_is_in_the_way_of_those_above_and_below_it() {
        let names = names(&["refs/heads/a", "refs/heads/b/c/d", "refs/heads/b-x", "refs/tags/t"]);
        for (full, other) in [
            ("refs/heads/a/b", Some("refs/heads/a")),
            ("refs/heads/a/b/c", Some("refs/heads/a")),
            ("refs/heads/b", Some("refs/heads/b/c/d")),
            ("refs/heads/b/c", Some("refs/heads/b/c/d")),
            ("refs/heads/a", None),
            ("refs/heads/b/c/e", None),
            ("refs/heads/b-", None),
            ("refs/tags/a/b", None),
        ] {
            assert_eq!(names.in_the_way(&PushRef::parse(full).unwrap()), other, "{full}");
        }
    }
}
