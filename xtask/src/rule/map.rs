//! The map in ARCHITECTURE.md names each crate, and no crate that is not there.

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::repository::Repository;

const PATH: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Map";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let there: BTreeSet<&str> = repository.packages.iter().map(crate::package::Package::short).collect();
    let Some(map) = repository.find(PATH) else {
        return vec![Finding::new(PATH, "is missing", "Write the map of the crates.")];
    };
    let named: BTreeSet<&str> = rows(&map.text).collect();
    let lost = there.difference(&named).map(|name| {
        Finding::new(PATH, format!("has no row for `{name}`"), "Add it to the table under `## Map`.")
    });
    let gone = named.difference(&there).map(|name| {
        Finding::new(PATH, format!("has a row for `{name}`, which is not there"), "Take it out.")
    });
    lost.chain(gone).collect()
}

/// The first cell of each row under the heading, without its back-quotes.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .skip_while(|line| *line != HEADING)
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::Package;

    #[test]
    fn a_map_that_differs_from_the_crates_is_found_in_both_directions() {
        let map = "## Map\n| crate | holds |\n|---|---|\n| `core` | ids |\n| `attic` | dust |\n## More\n| `web` | no |\n";
        let mut repository = Repository::of(&[(PATH, map)]);
        repository.packages = vec![Package::of("core", vec![]), Package::of("store", vec![])];
        let found: Vec<String> = check(&repository).into_iter().map(|finding| finding.what).collect();
        assert_eq!(found, ["has no row for `store`", "has a row for `attic`, which is not there"]);
    }

    #[test]
    fn a_missing_map_is_found() {
        assert_eq!(check(&Repository::of(&[])).len(), 1);
    }
}
