//! Names that say nothing are refused: a file is named after the one thing in it.

use crate::finding::Finding;
use crate::repository::Repository;

const REFUSED: &[&str] = &["common", "helper", "helpers", "manager", "misc", "service", "util", "utils"];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut found = Vec::new();
    for source in &repository.sources {
        let named = source.path.split('/').map(|part| part.split('.').next().unwrap_or(part));
        for name in named.filter(|name| REFUSED.contains(name)) {
            found.push(Finding::new(
                &source.path,
                format!("is named `{name}`"),
                "Name it after the one thing that it holds.",
            ));
        }
        if source.path.ends_with("/mod.rs") {
            found.push(Finding::new(
                &source.path,
                "is a mod.rs",
                "Name the file after its module, beside its folder.",
            ));
        }
        for (line, text) in source.lines().filter(|_| source.is_rust()) {
            let text = text.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
            let inner = text.strip_prefix("mod ").and_then(|rest| rest.split([' ', ';', '{']).next());
            if inner.is_some_and(|name| REFUSED.contains(&name)) {
                found.push(Finding::at(
                    &source.path,
                    line,
                    "names a module that says nothing",
                    "Name it after what it holds.",
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
    fn a_grab_bag_is_found_by_its_name() {
        for path in [
            "crates/a/src/utils.rs",
            "crates/a/src/common/x.rs",
            "crates/a/src/task/mod.rs",
            "scripts/helpers.sh",
        ] {
            assert_eq!(check(&Repository::of(&[(path, "")])).len(), 1, "{path}");
        }
        assert_eq!(check(&Repository::of(&[("a.rs", "    pub(crate) mod helpers {\n")])).len(), 1);
        assert!(check(&Repository::of(&[("crates/a/src/task.rs", "mod taskmanager;\n")])).is_empty());
    }
}
