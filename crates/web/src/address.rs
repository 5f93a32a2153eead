//! The addresses of a repository's pages.
//!
//! The path in the tree is the end of the address, the branch, tag or commit is the query `ref`. Both may hold slashes,
//! and in one path nobody could tell where the one ends: with a branch `a` and a branch `a/b`, `a/b/c` would be two
//! files, and a branch that is pushed tomorrow would change what an address of today means.

use countersign_core::gitnest::tree_path::TreePath;
use countersign_core::id::ResourceId;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

/// What stands in an address as it is: RFC 3986 §2.3, and the slash.
const CODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A kind of page below a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// A folder or a file.
    Files,
    /// Its bytes.
    Raw,
    /// Who wrote its lines.
    Blame,
    /// Its commits.
    History,
    /// The branches and tags.
    Branches,
    /// The search.
    Search,
    /// The settings.
    Settings,
}

impl Leaf {
    const ALL: [Self; 7] =
        [Self::Files, Self::Raw, Self::Blame, Self::History, Self::Branches, Self::Search, Self::Settings];

    const fn word(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Raw => "raw",
            Self::Blame => "blame",
            Self::History => "history",
            Self::Branches => "branches",
            Self::Search => "search",
            Self::Settings => "settings",
        }
    }

    /// The page that a word in an address names.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|leaf| leaf.word() == word)
    }

    /// Where it is, without a query.
    fn path(self, id: ResourceId, path: &TreePath) -> String {
        let path = coded(path.as_bytes());
        match (self, path.as_str()) {
            (Self::Files, "") => format!("/repositories/{id}"),
            (_, "") => format!("/repositories/{id}/{}", self.word()),
            (_, path) => format!("/repositories/{id}/{}/{path}", self.word()),
        }
    }
}

/// The address of a page at a path, in the state that `reference` names.
pub fn at(leaf: Leaf, id: ResourceId, path: &TreePath, reference: Option<&str>) -> String {
    let address = leaf.path(id, path);
    match reference {
        Some(reference) => format!("{address}?ref={}", coded(reference.as_bytes())),
        None => address,
    }
}

/// The same with one more pair in its query.
pub fn with(address: &str, name: &str, value: &str) -> String {
    let sign = if address.contains('?') { '&' } else { '?' };
    format!("{address}{sign}{name}={}", coded(value.as_bytes()))
}

/// The address of a commit.
pub fn commit(id: ResourceId, oid: impl std::fmt::Display) -> String {
    format!("/repositories/{id}/commits/{oid}")
}

/// Bytes as they stand in an address.
pub fn coded(bytes: &[u8]) -> String {
    percent_encode(bytes, CODED).to_string()
}

/// The bytes that a part of an address means.
pub(crate) fn decoded(text: &str) -> Vec<u8> {
    percent_decode_str(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_name_holds_comes_back_out_of_its_address() {
        let id = ResourceId::new(uuid::Uuid::from_u128(1));
        for name in [&b"a b/c%d"[..], b"#?&=+;", b"\xff\n\"'<>", "\u{e9}\u{202e}".as_bytes(), b"\\..%2f"] {
            let address = at(Leaf::Files, id, &TreePath::new(name), Some("feature/x y#1"));
            let (path, query) = address.split_once('?').unwrap();
            let rest = path.strip_prefix(&format!("/repositories/{id}/files/")).unwrap();
            assert_eq!(decoded(rest), name, "{address}");
            assert_eq!(query, "ref=feature/x%20y%231");
            assert!(address.bytes().all(|b| b.is_ascii_graphic() && !b"\"'<>\\".contains(&b)), "{address}");
        }
    }

    #[test]
    fn the_root_is_the_repository_itself() {
        let id = ResourceId::new(uuid::Uuid::from_u128(1));
        assert_eq!(at(Leaf::Files, id, &TreePath::default(), None), format!("/repositories/{id}"));
        assert_eq!(at(Leaf::History, id, &TreePath::default(), None), format!("/repositories/{id}/history"));
        assert_eq!(
            with(&at(Leaf::Search, id, &TreePath::default(), Some("v1")), "q", "a&b"),
            format!("/repositories/{id}/search?ref=v1&q=a%26b")
        );
    }
}
