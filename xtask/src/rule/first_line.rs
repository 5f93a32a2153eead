//! The first line of each Rust file says what the file is for.

use crate::finding::Finding;
use crate::repository::Repository;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    repository
        .rust()
        .filter(|source| {
            let first = source.text.lines().next().unwrap_or_default();
            first.strip_prefix("//! ").is_none_or(|said| said.len() < 12)
        })
        .map(|source| {
            Finding::at(
                &source.path,
                1,
                "does not say what the file is for",
                "Begin it with a `//!` line that does.",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_begins_without_a_word_of_what_it_is_for_is_found() {
        for text in ["use std::fmt;\n", "", "//! x\n", "// A comment of the other kind.\n"] {
            assert_eq!(check(&Repository::of(&[("crates/a/src/lib.rs", text)])).len(), 1, "{text}");
        }
        assert!(
            check(&Repository::of(&[("crates/a/src/lib.rs", "//! What this is for.\n"), ("a.md", "x")]))
                .is_empty()
        );
    }
}
