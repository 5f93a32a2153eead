//! The lists of attacks: every row has a test, and each test that it names is there.

use crate::finding::Finding;
use crate::repository::Repository;

/// The lists, and how many attacks each has; a row is added, never dropped.
const LISTS: [(&str, usize); 2] = [("docs/oauth-attacks.md", 29), ("docs/attacks.md", 27)];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    LISTS.iter().flat_map(|(list, rows)| check_list(repository, list, *rows)).collect()
}

fn check_list(repository: &Repository, path: &'static str, most: usize) -> Vec<Finding> {
    let Some(list) = repository.find(path) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut rows = 0;
    for (line, text) in list.lines() {
        let Some(number) =
            text.strip_prefix("| ").and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok())
        else {
            continue;
        };
        rows += 1;
        if number != rows {
            found.push(Finding::at(
                path,
                line,
                format!("is row {number} in place {rows}"),
                "Number the rows in order.",
            ));
        }
        let tests: Vec<&str> = text.split('`').filter(|word| word.contains(".rs::")).collect();
        if tests.is_empty() {
            found.push(Finding::at(
                path,
                line,
                "names no test",
                "Name the test that fails without the guard.",
            ));
        }
        for test in tests.into_iter().filter(|test| !is_there(repository, test)) {
            found.push(Finding::at(
                path,
                line,
                format!("names {test}, which is not there"),
                "Name the test by its present path.",
            ));
        }
    }
    if rows != most {
        found.push(Finding::at(
            path,
            1,
            format!("has {rows} rows of {most}"),
            "Keep every attack, and raise the number for a new one.",
        ));
    }
    found
}

/// Whether a file has a function, or a test for both engines, of this name.
fn is_there(repository: &Repository, test: &str) -> bool {
    let Some((path, name)) = test.split_once("::") else { return false };
    let Some(source) = repository.find(path) else { return false };
    let declares = |line: &str| {
        let line = line.trim();
        let rest =
            line.strip_prefix("async fn ").or(line.strip_prefix("fn ")).or(line.strip_prefix("both!("));
        rest.unwrap_or(line).strip_prefix(name).is_some_and(|after| after.starts_with(['(', ',']))
    };
    source.text.lines().any(declares)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = LISTS[0].0;

    fn list(last: &str) -> String {
        let row = |n: usize| format!("| {n} | x | y | `crates/a/tests/b.rs::a_test` |\n");
        (1..LISTS[0].1).map(row).collect::<String>() + last
    }

    fn found(list: &str, source: &str) -> usize {
        check(&Repository::of(&[(LIST, list), ("crates/a/tests/b.rs", source)])).len()
    }

    #[test]
    fn a_test_that_is_gone_a_row_without_one_and_a_row_that_is_gone_are_found() {
        let good = list("| 29 | x | y | `crates/a/tests/b.rs::a_test`, `crates/a/tests/b.rs::another` |\n");
        let source = "async fn a_test() {}\nboth!(\n    another,\n    db,";
        assert_eq!(found(&good, source), 0);
        assert_eq!(found(&good, "async fn a_test() {}"), 1);
        assert_eq!(found(&good, "async fn a_test_of_another_name() {}\nboth!(another, db, {"), 29);
        assert_eq!(found(&list("| 29 | x | y | none |\n"), source), 1);
        assert_eq!(found(&list(""), source), 1);
        assert_eq!(found(&list("| 30 | x | y | `crates/a/tests/b.rs::a_test` |\n"), source), 1);
    }
}
