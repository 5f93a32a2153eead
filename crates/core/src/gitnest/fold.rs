//! When two names are the same to a file system that ignores case or composes letters.

use caseless::Caseless as _;
use unicode_normalization::UnicodeNormalization as _;

/// The key of a name: two names with equal keys cannot lie in one folder of every client.
///
/// Unicode 16, definition D145 (canonical caseless matching): decomposed, folded, decomposed.
pub fn key(name: &str) -> String {
    name.nfd().default_case_fold().nfd().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_file_system_takes_for_one_have_one_key() {
        for (a, b) in [
            ("README", "readme"),
            ("é", "e\u{301}"),
            ("É", "e\u{301}"),
            ("straße", "STRASSE"),
            ("Σ", "ς"),
            ("K", "\u{212a}"),
        ] {
            assert_eq!(key(a), key(b), "{a} {b}");
        }
    }

    #[test]
    fn different_names_have_different_keys() {
        for (a, b) in [("a", "b"), ("e", "é"), ("a", "а"), ("file", "ﬁles")] {
            assert_ne!(key(a), key(b), "{a} {b}");
        }
    }
}
