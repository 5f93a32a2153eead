//! Each manifest takes the workspace's lints and versions, so that no crate has a laxer rule of its own.

use crate::finding::Finding;
use crate::repository::Repository;

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let manifests = repository.sources.iter().filter(|source| source.path.ends_with("/Cargo.toml"));
    let mut found = Vec::new();
    for manifest in manifests {
        if !manifest.text.contains("[lints]\nworkspace = true\n") {
            found.push(Finding::new(
                &manifest.path,
                "does not take the workspace's lints",
                "Add `[lints]` with `workspace = true`.",
            ));
        }
        let mut section = "";
        for (line, text) in manifest.lines() {
            if text.starts_with('[') {
                section = text;
            } else if section.contains("dependencies") && states_version(text) {
                found.push(Finding::at(
                    &manifest.path,
                    line,
                    "states a version of its own",
                    "State it in `[workspace.dependencies]` and take it with `workspace = true`.",
                ));
            }
        }
    }
    found
}

fn states_version(line: &str) -> bool {
    line.contains("version =")
        || line.split_once('=').is_some_and(|(_, value)| value.trim_start().starts_with('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_with_lints_or_versions_of_its_own_is_found() {
        let good = "[package]\nversion.workspace = true\n[lints]\nworkspace = true\n[dependencies]\nserde.workspace = true\n";
        assert!(check(&Repository::of(&[("crates/a/Cargo.toml", good)])).is_empty());
        let lax = good.replace("[lints]\nworkspace = true\n", "");
        assert_eq!(check(&Repository::of(&[("crates/a/Cargo.toml", &lax)])).len(), 1);
        for own in ["serde = \"1\"\n", "serde = { version = \"1\" }\n"] {
            assert_eq!(
                check(&Repository::of(&[("crates/a/Cargo.toml", &format!("{good}{own}"))])).len(),
                1,
                "{own}"
            );
        }
    }
}
