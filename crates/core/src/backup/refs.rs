//! The refs of a repository that belong to the moment of a backup: those that the store told of.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::gitnest::branch::BranchName;
use crate::gitnest::oid::Oid;

/// Of the refs that the store has `seen` in a repository, those that one repository can hold at once; `now` is what git
/// holds a moment later.
///
/// A repository that was never looked at has seen none: what git holds is taken, and told of after the restore as after
/// a crash. Two of which one is the folder of the other (`refs/heads/a` and `refs/heads/a/b`) were never there together:
/// the removal of one is not told of yet, and what git does not hold any more goes.
pub fn refs_of_moment(seen: BTreeMap<String, Oid>, now: &BTreeMap<String, Oid>) -> BTreeMap<String, Oid> {
    if seen.is_empty() {
        return now.clone();
    }
    let names: Vec<String> = seen.keys().cloned().collect();
    let mut kept = seen;
    for inner in &names {
        for (at, _) in inner.match_indices('/') {
            let outer = &inner[..at];
            if kept.contains_key(outer) && kept.contains_key(inner) {
                let gone = if now.contains_key(outer) { inner.as_str() } else { outer };
                kept.remove(gone);
            }
        }
    }
    kept
}

/// The refs of one repository, and the branch that HEAD names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefList {
    /// The default branch.
    pub head: BranchName,
    /// Each branch and tag by its full name.
    pub refs: BTreeMap<String, Oid>,
}

impl RefList {
    /// As text: `ref: refs/heads/main HEAD`, then a line `OID NAME` each.
    pub fn to_text(&self) -> String {
        let mut text = format!("ref: {} HEAD\n", self.head.full());
        for (name, oid) in &self.refs {
            let _ = writeln!(text, "{oid} {name}");
        }
        text
    }

    /// Reads what [`Self::to_text`] writes; `None` for anything else, and for a name that is no branch or tag or would
    /// lead elsewhere.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, rest) = text.split_once('\n')?;
        let head = first.strip_prefix("ref: refs/heads/")?.strip_suffix(" HEAD")?;
        let mut list = Self { head: BranchName::parse(head).ok()?, refs: BTreeMap::new() };
        for line in rest.lines() {
            let (oid, name) = line.split_once(' ')?;
            let fits = ["refs/heads/", "refs/tags/"].iter().any(|prefix| name.starts_with(prefix))
                && !name.contains("..")
                && !name.bytes().any(|b| b <= b' ' || b == 0x7f);
            let before = list.refs.insert(name.to_owned(), Oid::parse(oid).ok()?);
            if !fits || before.is_some() {
                return None;
            }
        }
        Some(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refs(list: &[(&str, u8)]) -> BTreeMap<String, Oid> {
        list.iter().map(|(name, n)| (format!("refs/heads/{name}"), Oid::new([*n; 20]))).collect()
    }

    #[test]
    fn what_the_store_told_of_is_kept_and_not_what_git_holds_later() {
        let seen = refs(&[("main", 1), ("gone", 2)]);
        assert_eq!(refs_of_moment(seen.clone(), &refs(&[("main", 9), ("new", 3)])), seen);
    }

    #[test]
    fn a_repository_that_was_never_looked_at_keeps_what_git_holds() {
        let now = refs(&[("main", 1)]);
        assert_eq!(refs_of_moment(BTreeMap::new(), &now), now);
    }

    #[test]
    fn of_a_ref_and_one_below_it_the_one_that_git_removed_goes() {
        let seen = refs(&[("a", 1), ("a/b", 2), ("a/b/c", 3), ("ab", 4)]);
        assert_eq!(refs_of_moment(seen.clone(), &refs(&[("a/b", 2)])), refs(&[("a/b", 2), ("ab", 4)]));
        assert_eq!(refs_of_moment(seen.clone(), &refs(&[("a", 1)])), refs(&[("a", 1), ("ab", 4)]));
        assert_eq!(refs_of_moment(seen, &refs(&[])), refs(&[("a/b/c", 3), ("ab", 4)]));
    }

    #[test]
    fn a_list_reads_as_it_was_written_and_nothing_else_does() {
        let list =
            RefList { head: BranchName::parse("main").unwrap(), refs: refs(&[("main", 1), ("ä/b", 2)]) };
        assert_eq!(RefList::parse(&list.to_text()), Some(list));
        let oid = Oid::new([1; 20]);
        let head = "ref: refs/heads/main HEAD\n";
        assert!(RefList::parse(&format!("{head}{oid} refs/tags/v1\n")).is_some());
        for line in [
            format!("{oid} HEAD\n"),
            format!("{oid} refs/proposals/x\n"),
            format!("{oid} refs/heads/../../x\n"),
            format!("{oid} refs/heads/a b\n"),
            "1234 refs/heads/a\n".to_owned(),
            format!("{oid} refs/heads/a\n{oid} refs/heads/a\n"),
        ] {
            assert_eq!(RefList::parse(&format!("{head}{line}")), None, "{line}");
        }
        assert_eq!(RefList::parse(""), None);
    }
}
