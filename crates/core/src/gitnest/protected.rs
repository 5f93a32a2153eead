//! Paths that act on whoever clones or builds: only a maintainer decides about them.

use super::fold;

/// Names that git acts on, in whatever folder.
const NAMES: &[&str] = &[".gitattributes", ".gitmodules", ".gitignore", ".mailmap"];

/// Files and folders (those that end with `/`) whose content a service or a hook runs.
const WORKFLOWS: &[&str] = &[
    ".github/workflows/",
    ".github/actions/",
    ".gitea/workflows/",
    ".forgejo/workflows/",
    ".gitlab-ci.yml",
    ".gitlab/ci/",
    ".circleci/",
    ".buildkite/",
    ".woodpecker/",
    ".woodpecker.yml",
    ".woodpecker.yaml",
    ".drone.yml",
    ".travis.yml",
    ".ci/",
    ".githooks/",
    ".husky/",
    ".pre-commit-config.yaml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "jenkinsfile",
];

/// Whether a path is protected by the table above, or by one of the repository's own `extra`
/// entries: a whole path, or a folder with `/` at its end. Case and composition do not matter.
pub fn is_protected_path(path: &str, extra: &[String]) -> bool {
    let path = fold::key(path);
    let by_name = path.split('/').any(|part| NAMES.contains(&part));
    let covers = |entry: &str| match entry.strip_suffix('/') {
        Some(folder) => {
            path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        None => path == entry,
    };
    by_name
        || WORKFLOWS.iter().any(|entry| covers(entry))
        || extra.iter().any(|entry| covers(&fold::key(entry)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_clients_and_builds_is_protected_in_every_spelling() {
        for path in [
            ".gitattributes",
            "docs/.GitModules",
            ".gitignore",
            ".MAILMAP",
            ".github/workflows/ci.yml",
            ".GitHub/Workflows/x/y.yml",
            ".gitlab-ci.yml",
            "Jenkinsfile",
            ".husky/pre-commit",
            ".ci/run",
        ] {
            assert!(is_protected_path(path, &[]), "{path}");
        }
    }

    #[test]
    fn ordinary_files_are_not() {
        for path in [
            "README.md",
            "src/gitignore",
            ".github/ISSUE_TEMPLATE.md",
            "docs/.gitlab-ci.yml",
            ".cirrus",
            ".github/workflowsx/a",
        ] {
            assert!(!is_protected_path(path, &[]), "{path}");
        }
    }

    #[test]
    fn a_repository_adds_its_own() {
        let extra = ["deploy/".to_owned(), "Makefile".to_owned()];
        assert!(is_protected_path("Deploy/prod.toml", &extra) && is_protected_path("makefile", &extra));
        assert!(
            !is_protected_path("deployment/prod.toml", &extra) && !is_protected_path("sub/Makefile", &extra)
        );
    }
}
