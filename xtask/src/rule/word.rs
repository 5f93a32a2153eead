//! Words that do not belong in the repository: places of one machine, hosts of registries, promises of later work.

use crate::finding::Finding;
use crate::repository::Repository;

/// Spelled in halves, so that this list does not find itself.
const PLACES: &[(&str, &str)] = &[
    (concat!("/wo", "rk/"), "names a folder of one machine"),
    (concat!("/ro", "ot/"), "names a folder of one machine"),
    (concat!("../sh", "ared"), "names a folder outside the repository"),
    (concat!("registry.np", "mjs"), "names a registry's host"),
    (concat!("pypi.", "org"), "names a registry's host"),
    (concat!("pythonhosted.", "org"), "names a registry's host"),
    (concat!("static.crates.", "io"), "names a registry's host"),
    (concat!("index.crates.", "io"), "names a registry's host"),
    (concat!("deb.deb", "ian.org"), "names a registry's host"),
    (concat!("sub", "agent"), "speaks of how it was written"),
];
const PROMISES: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("for ", "now"),
    concat!("todo", "!("),
    concat!("unimplemented", "!("),
];
const SKIPPED: &[&str] = &[concat!("#[ign", "ore"), concat!("assert!(tr", "ue)")];

/// What tools write, what is vendored with its own words, and the licence.
const THEIRS: &[&str] = &[".lock", "package-lock.json", ".min.js", "LICENSE"];

fn is_ours(path: &str) -> bool {
    !THEIRS.iter().any(|end| path.ends_with(end))
}

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut found = Vec::new();
    for source in repository.sources.iter().filter(|source| is_ours(&source.path)) {
        for (line, text) in source.lines() {
            for (word, what) in PLACES {
                if text.contains(word) {
                    found.push(Finding::at(
                        &source.path,
                        line,
                        *what,
                        "Say it without: cite a published specification or docs/decisions.",
                    ));
                }
            }
            if has_scratch_path(text) {
                found.push(Finding::at(
                    &source.path,
                    line,
                    "names a scratch folder of one machine",
                    "Ask the system for one.",
                ));
            }
            if source.is_rust() && PROMISES.iter().any(|word| text.contains(word)) {
                found.push(Finding::at(
                    &source.path,
                    line,
                    "promises work for later",
                    "Do it, or leave it out.",
                ));
            }
            if source.is_rust() && SKIPPED.iter().any(|word| text.contains(word)) {
                found.push(Finding::at(
                    &source.path,
                    line,
                    "is a test that tests nothing",
                    "Make it run, or take it out.",
                ));
            }
        }
    }
    found
}

fn has_scratch_path(text: &str) -> bool {
    text.split(concat!("/t", "mp/")).skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_found() {
        for (word, _) in PLACES {
            assert_eq!(check(&Repository::of(&[("README.md", word)])).len(), 1, "{word}");
        }
        for word in PROMISES.iter().chain(SKIPPED) {
            assert_eq!(check(&Repository::of(&[("a.rs", word)])).len(), 1, "{word}");
        }
        assert_eq!(check(&Repository::of(&[("a.sh", concat!("rm /t", "mp/x"))])).len(), 1);
    }

    #[test]
    fn lock_files_may_say_what_their_tools_write() {
        assert!(check(&Repository::of(&[("Cargo.lock", PLACES[0].0)])).is_empty());
    }
}
