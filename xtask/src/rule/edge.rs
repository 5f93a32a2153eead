//! Which crate may depend on which: the table of ARCHITECTURE.md, held against `cargo metadata`.

use crate::finding::Finding;
use crate::package::Package;
use crate::repository::Repository;

/// A crate and the crates of ours that it may name. Nothing here is transitive.
const EDGES: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("fetch", &["core"]),
    ("store", &["core"]),
    ("git", &["core"]),
    ("app", &["core", "fetch", "git", "store"]),
    ("mcp", &["app", "core"]),
    ("oauth", &["app", "core"]),
    ("web", &["app", "core"]),
    ("git-http", &["app", "core", "git"]),
    ("server", &["app", "core", "fetch", "git", "git-http", "mcp", "oauth", "store", "web"]),
    ("cli", &["core", "fetch", "git", "server"]),
    ("testkit", &["app", "core", "fetch", "git", "git-http", "mcp", "oauth", "server", "store", "web"]),
    ("bench", &["app", "core", "store", "testkit"]),
    ("xtask", &["core", "mcp", "server"]),
];

/// What tests may name beside that: the testkit, and store for the test databases of both engines.
const FOR_TESTS: &[&str] = &["store", "testkit"];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    repository.packages.iter().flat_map(of_package).collect()
}

fn of_package(package: &Package) -> Vec<Finding> {
    let from = package.short();
    let Some((_, allowed)) = EDGES.iter().find(|(name, _)| *name == from) else {
        return vec![Finding::new(
            format!("crate {from}"),
            "has no row in the table of edges",
            "Add it to xtask/src/rule/edge.rs and to ARCHITECTURE.md.",
        )];
    };
    package
        .dependencies
        .iter()
        .filter(|dependency| dependency.is_ours())
        .filter(|dependency| {
            let to = dependency.short();
            let for_tests = dependency.is_dev() && (FOR_TESTS.contains(&to) || to == from);
            !allowed.contains(&to) && !for_tests
        })
        .map(|dependency| {
            Finding::new(
                format!("crate {from}"),
                format!("depends on {}", dependency.short()),
                "Move the code to where the edge is allowed; a new edge is a reviewed line in xtask/src/rule/edge.rs.",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::Dependency;

    #[test]
    fn an_edge_against_the_direction_is_found() {
        let found = of_package(&Package::of(
            "store",
            vec![Dependency::ours("app", None), Dependency::ours("core", None)],
        ));
        assert_eq!(found.len(), 1);
        assert!(found[0].what.contains("app"));
    }

    #[test]
    fn tests_may_use_the_testkit_and_nothing_else_beyond_the_table() {
        let dev = Some("dev");
        assert!(of_package(&Package::of("web", vec![Dependency::ours("testkit", dev)])).is_empty());
        assert_eq!(of_package(&Package::of("web", vec![Dependency::ours("git", dev)])).len(), 1);
        assert_eq!(of_package(&Package::of("web", vec![Dependency::ours("testkit", None)])).len(), 1);
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        assert_eq!(of_package(&Package::of("attic", vec![])).len(), 1);
    }
}
