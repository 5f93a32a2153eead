//! No SQL outside store in what ships: a query stands where both engines run it. Tests may look at rows.

use crate::finding::Finding;
use crate::repository::Repository;

const STATEMENTS: &[(&str, &str)] =
    &[("SELECT ", " FROM "), ("INSERT INTO ", "("), ("UPDATE ", " SET "), ("DELETE FROM ", "")];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut found = Vec::new();
    for source in repository.rust().filter(|source| ships_outside_store(&source.path)) {
        for (line, text) in source.shipped_lines() {
            if STATEMENTS
                .iter()
                .any(|(verb, rest)| text.split_once(verb).is_some_and(|(_, after)| after.contains(rest)))
            {
                found.push(Finding::at(
                    &source.path,
                    line,
                    "holds SQL",
                    "Move the query into crates/store, which tests it on both engines.",
                ));
            }
        }
    }
    found
}

fn ships_outside_store(path: &str) -> bool {
    let mut parts = path.split('/');
    let tested =
        parts.any(|part| matches!(part, "tests" | "testing" | "testing.rs" | "tests.rs" | "testkit"));
    !tested && !path.starts_with("crates/store/") && !path.starts_with("xtask/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_outside_store_is_found() {
        let query = "const Q: &str = \"SELECT id FROM user WHERE mail = $1\";";
        assert_eq!(check(&Repository::of(&[("crates/app/src/a.rs", query)])).len(), 1);
        assert!(check(&Repository::of(&[("crates/store/src/a.rs", query)])).is_empty());
        assert!(check(&Repository::of(&[("crates/app/tests/oauth/a.rs", query)])).is_empty());
        assert!(check(&Repository::of(&[("crates/app/src/a.rs", "// SELECT what you need")])).is_empty());
    }
}
