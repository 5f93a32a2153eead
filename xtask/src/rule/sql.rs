//! No SQL outside store: a query stands where both engines run it.

use crate::finding::Finding;
use crate::repository::Repository;

const STATEMENTS: &[(&str, &str)] =
    &[("SELECT ", " FROM "), ("INSERT INTO ", "("), ("UPDATE ", " SET "), ("DELETE FROM ", "")];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut found = Vec::new();
    let outside = repository
        .rust()
        .filter(|source| !source.path.starts_with("crates/store/") && !source.path.starts_with("xtask/"));
    for source in outside {
        for (line, text) in source.lines() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_outside_store_is_found() {
        let query = "const Q: &str = \"SELECT id FROM user WHERE mail = $1\";";
        assert_eq!(check(&Repository::of(&[("crates/app/src/a.rs", query)])).len(), 1);
        assert!(check(&Repository::of(&[("crates/store/src/a.rs", query)])).is_empty());
        assert!(check(&Repository::of(&[("crates/app/src/a.rs", "// SELECT what you need")])).is_empty());
    }
}
