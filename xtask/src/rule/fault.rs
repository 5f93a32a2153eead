//! In the execution of a proposal and in what keeps and records a push, each call that leaves the process has a fault point
//! of its own before it.
//!
//! A crash between any two steps must be provable, so a test has to be able to kill the process there. What
//! goes out is any use of a part of `App` but the ones named here, the commit of a ref transaction, and any call of
//! the sibling that builds and writes commits; a new part is taken to go out until it is named.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::repository::Repository;

/// The files in which every call that leaves the process is marked.
const EXECUTE: [&str; 4] = [
    "crates/app/src/proposal/execute.rs",
    "crates/app/src/proposal/finish.rs",
    "crates/app/src/push/keep.rs",
    "crates/app/src/push/record.rs",
];
const POINTS: &str = "crates/app/src/fault.rs";
/// Where points stand.
const FOLDERS: [&str; 2] = ["crates/app/src/proposal/", "crates/app/src/push/"];
const MARK: &str = "faults.at(Point::";
/// Parts and methods of `App` that stay inside the process.
const INSIDE: &[&str] = &["faults", "now", "clock", "clone", "settings", "uuid"];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut found = Vec::new();
    for path in EXECUTE {
        match repository.find(path) {
            Some(execute) => found.extend(unmarked(path, execute.shipped_lines())),
            None => found.push(missing(path)),
        }
    }
    let Some(points) = repository.find(POINTS) else { return vec![missing(POINTS)] };
    let marks = repository
        .rust()
        .filter(|source| FOLDERS.iter().any(|folder| source.path.starts_with(folder)))
        .flat_map(|source| marks(&source.text));
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for point in marks {
        *times.entry(point).or_default() += 1;
    }
    for point in variants(&points.text) {
        let stands = times.get(point).copied().unwrap_or(0);
        if stands != 1 {
            found.push(Finding::new(
                POINTS,
                format!("`{point}` stands {stands} times"),
                "Let each fault point stand at one place, and each have one.",
            ));
        }
    }
    found
}

fn missing(path: &'static str) -> Finding {
    Finding::new(path, "is missing", "Say in xtask/src/rule/fault.rs where the execution or its points went.")
}

/// Calls without a fault point between them and the call before, or the start of their function.
fn unmarked<'a>(path: &'static str, lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut marked = false;
    let mut chain = false;
    for (line, text) in lines {
        let code = text.split("//").next().unwrap_or_default();
        let trimmed = code.trim();
        if is_function(trimmed) {
            marked = false;
        }
        if code.contains(MARK) {
            marked = true;
        } else if goes_out(code) || (chain && trimmed.strip_prefix('.').is_some_and(is_outside)) {
            if !marked {
                found.push(Finding::at(
                    path,
                    line,
                    "leaves the process without a fault point",
                    "Put `app.faults.at(Point::…)` before it, with a point of its own.",
                ));
            }
            marked = false;
        }
        chain = trimmed == "app" || trimmed.ends_with(" app") || trimmed.ends_with("(app");
    }
    found
}

fn is_function(code: &str) -> bool {
    [
        "fn ",
        "async fn ",
        "pub(super) async fn ",
        "pub(super) fn ",
        "pub(crate) async fn ",
        "pub(crate) fn ",
        "pub async fn ",
        "pub fn ",
    ]
    .iter()
    .any(|start| code.starts_with(start))
}

fn goes_out(code: &str) -> bool {
    let sibling = code.match_indices("body::").any(|(at, word)| code[at + word.len()..].contains('('));
    let part = code.match_indices("app.").any(|(at, word)| {
        let whole = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        whole && is_outside(&code[at + word.len()..])
    });
    sibling || part || code.contains("transaction.commit(")
}

fn is_outside(rest: &str) -> bool {
    let part: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    !part.is_empty() && !INSIDE.contains(&part.as_str())
}

fn marks(text: &str) -> impl Iterator<Item = &str> {
    text.split("Point::")
        .skip(1)
        .filter_map(|rest| rest.split_once(')').map(|(name, _)| name))
        .filter(|name| !name.is_empty() && name.chars().all(char::is_alphanumeric))
}

/// The variants of `enum Point`.
fn variants(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .skip_while(|line| !line.contains("enum Point"))
        .skip(1)
        .take_while(|line| !line.starts_with('}'))
        .map(str::trim)
        .filter_map(|line| line.strip_suffix(','))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENUM: &str = "pub enum Point {\n    /// One.\n    Read,\n    /// Two.\n    Write,\n}\n";
    const GOOD: &str = "\
async fn walk(app: &App) {
    app.faults.at(Point::Read);
    let row = app.db.read(f).await?;
    let now = app.now();
    // The next one is a chain.
    app.faults.at(Point::Write);
    app
        .db
        .write(g)
        .await
}
";

    fn found(execute: &str) -> usize {
        let [first, rest @ ..] = EXECUTE;
        let mut files = vec![(POINTS, ENUM), (first, execute)];
        files.extend(rest.map(|path| (path, "")));
        check(&Repository::of(&files)).len()
    }

    #[test]
    fn a_call_without_its_fault_point_is_found() {
        assert_eq!(found(GOOD), 0);
        for mark in ["    app.faults.at(Point::Read);\n", "    app.faults.at(Point::Write);\n"] {
            assert_eq!(found(&GOOD.replace(mark, "")), 2, "the call is bare, and the point stands nowhere");
        }
    }

    #[test]
    fn a_file_that_went_elsewhere_is_found() {
        assert_eq!(
            check(&Repository::of(&[(POINTS, ENUM.replace("Read,", "").replace("Write,", "").as_str())]))
                .len(),
            EXECUTE.len()
        );
    }

    #[test]
    fn a_point_covers_one_call_and_one_function() {
        assert_eq!(found(&GOOD.replace("    let now", "    app.git.sweep().await;\n    let now")), 1);
        assert_eq!(found(&GOOD.replace("    let row", "}\nfn other(app: &App) {\n    let row")), 1);
        assert_eq!(found(&GOOD.replace("app.now()", "body::build(x)")), 1);
    }

    #[test]
    fn a_point_that_stands_twice_or_nowhere_is_found() {
        assert_eq!(found(&GOOD.replace("Point::Write", "Point::Read")), 2);
    }

    #[test]
    fn a_part_of_the_application_that_is_not_named_as_inside_goes_out() {
        assert!(goes_out("let x = app.forge.open().await;"));
        assert!(goes_out("let outcome = transaction.commit(edits).await;"));
        assert!(!goes_out("let x = app.now();"));
        assert!(!goes_out("let x = myapp.db.read();"));
    }
}
