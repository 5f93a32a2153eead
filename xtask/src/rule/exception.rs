//! Exceptions to the house rules are counted, and the count only falls.
//!
//! xtask/exceptions.txt holds a line for each kind: `expect LINT COUNT`, or `long PATH LINES`.
//! `cargo xtask generate` lowers the numbers to what is there; only a person raises one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::size::SOFT;
use crate::finding::Finding;
use crate::repository::Repository;

/// Where the exceptions are listed.
pub(crate) const PATH: &str = "xtask/exceptions.txt";
const HEAD: &str = "# Exceptions to the house rules: `expect LINT COUNT`, `long PATH LINES`.\n\
                    # `cargo xtask generate` lowers the numbers; to raise one is a reviewed change of this file.\n";

/// What an exception is of, and how many or how long.
type Counts = BTreeMap<String, usize>;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let recorded = recorded(repository);
    present(repository)
        .into_iter()
        .filter(|(what, _)| what.starts_with("expect "))
        .filter_map(|(what, now)| {
            let allowed = recorded.get(&what).copied().unwrap_or(0);
            (now > allowed).then(|| {
                Finding::new(
                    PATH,
                    format!("allows {allowed} × `{what}`, and there are {now}"),
                    "Do without the new one, or raise the number and say why in the commit.",
                )
            })
        })
        .collect()
}

/// The list as it should stand: each recorded number, lowered to what is there.
pub(crate) fn lowered(repository: &Repository) -> String {
    let present = present(repository);
    let mut text = HEAD.to_owned();
    for (what, allowed) in recorded(repository) {
        let now = present.get(&what).copied().unwrap_or(0).min(allowed);
        if now > 0 {
            let _ = writeln!(text, "{what} {now}");
        }
    }
    text
}

/// The numbers on the list.
pub(super) fn recorded(repository: &Repository) -> Counts {
    let text = repository.find(PATH).map(|source| source.text.as_str()).unwrap_or_default();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.rsplit_once(' '))
        .filter_map(|(what, number)| Some((what.to_owned(), number.parse().ok()?)))
        .collect()
}

/// How a long file is named on the list.
pub(super) fn long_file(path: &str) -> String {
    format!("long {path}")
}

/// The numbers as they are.
fn present(repository: &Repository) -> Counts {
    let mut counts = Counts::new();
    for source in repository.rust() {
        for lint in expected_lints(&source.text) {
            *counts.entry(format!("expect {lint}")).or_default() += 1;
        }
        let lines = source.shipped_len();
        if lines > SOFT {
            counts.insert(long_file(&source.path), lines);
        }
    }
    counts
}

/// The lints that `#[expect(…)]` and `#![expect(…)]` name, also inside `cfg_attr`.
fn expected_lints(text: &str) -> Vec<&str> {
    let mut lints = Vec::new();
    for at in text.match_indices("expect(").map(|(at, _)| at) {
        let line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        if !text[line_start..].trim_start().starts_with('#') {
            continue;
        }
        let inside = text[at + "expect(".len()..].split(')').next().unwrap_or_default();
        lints.extend(
            inside
                .split(',')
                .map(str::trim)
                .take_while(|word| !word.starts_with("reason"))
                .filter(|word| !word.is_empty()),
        );
    }
    lints
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "//! A file.\n#[expect(clippy::a, clippy::b, reason = \"x\")]\nfn f() { g.expect(\"no\"); }\n#![cfg_attr(test, expect(\n    clippy::a,\n    reason = \"y\"\n))]\n";

    #[test]
    fn each_expected_lint_is_counted_and_no_call_is() {
        assert_eq!(expected_lints(CODE), ["clippy::a", "clippy::b", "clippy::a"]);
    }

    #[test]
    fn one_exception_more_is_found() {
        let with = |list| check(&Repository::of(&[("a.rs", CODE), (PATH, list)])).len();
        assert_eq!(with("expect clippy::a 2\nexpect clippy::b 1\n"), 0);
        assert_eq!(with("expect clippy::a 1\nexpect clippy::b 1\n"), 1);
        assert_eq!(with(""), 2);
    }

    #[test]
    fn the_list_is_lowered_and_never_raised() {
        let repository = Repository::of(&[
            ("a.rs", CODE),
            (PATH, "expect clippy::a 1\nexpect clippy::b 7\nexpect clippy::c 3\nlong b.rs 400\n"),
        ]);
        assert_eq!(lowered(&repository), format!("{HEAD}expect clippy::a 1\nexpect clippy::b 1\n"));
    }
}
