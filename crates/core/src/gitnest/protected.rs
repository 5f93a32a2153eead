//! Paths that act on whoever clones or builds: only a maintainer decides about them.

use super::fold;
use crate::text::is_deceptive;

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

/// Whether the file at this path is protected by the table above, or by one of the repository's own `extra` entries: a
/// whole path, or a folder with `/` at its end. Case and composition do not matter.
///
/// Where an entry lies in a folder, nothing else may be in the folder's place either: a link or a submodule of that name
/// would bring the entry with it.
pub fn is_protected_path(path: &str, extra: &[String]) -> bool {
    let path = fold::key(path);
    let by_name = path.split('/').any(|part| NAMES.contains(&part));
    let below =
        |path: &str, folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let covers = |entry: &str| {
        let (place, is_folder) = entry.strip_suffix('/').map_or((entry, false), |folder| (folder, true));
        path == place || (is_folder && below(&path, place)) || below(place, &path)
    };
    by_name
        || WORKFLOWS.iter().any(|entry| covers(entry))
        || extra.iter().any(|entry| covers(&fold::key(entry)))
}

/// Names that are protected in whatever folder.
pub const fn always_named() -> &'static [&'static str] {
    NAMES
}

/// Files, and folders (those that end with `/`), that are protected at the root.
pub const fn always_at_root() -> &'static [&'static str] {
    WORKFLOWS
}

/// How long an entry of a repository's own list may be, in bytes.
const LONGEST: usize = crate::limit::PROTECTED_PATH;

/// An entry of a repository's own list that covers nothing; the text is the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a protected path {0}")]
pub struct NotAProtectedPath(pub &'static str);

/// A path to protect beside the table: a file, or a folder with `/` at its end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProtectedPath(String);

impl ProtectedPath {
    /// Reads an entry: relative, of 1 to 1,024 bytes, without empty, `.` or `..` parts and without invisible
    /// characters.
    pub fn parse(text: &str) -> Result<Self, NotAProtectedPath> {
        let breach = |rule| Err(NotAProtectedPath(rule));
        if text.is_empty() || text.len() > LONGEST {
            return breach("has 1 to 1024 bytes");
        }
        if text.chars().any(|c| is_deceptive(c) || c == '\\') {
            return breach("has no control or invisible characters and no backslash");
        }
        let parts = text.strip_suffix('/').unwrap_or(text).split('/');
        if parts.into_iter().any(|part| matches!(part, "" | "." | "..")) {
            return breach("is relative, and no part of it is empty, `.` or `..`");
        }
        Ok(Self(text.to_owned()))
    }

    /// The entry.
    pub fn as_str(&self) -> &str {
        &self.0
    }
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

    #[test]
    fn what_is_put_in_the_place_of_a_folder_with_an_entry_is_protected() {
        let extra = ["deploy/prod/keys.toml".to_owned()];
        for path in [".github", ".GitHub", ".gitlab", ".gitea", "deploy", "Deploy/prod"] {
            assert!(is_protected_path(path, &extra), "{path}");
        }
        for path in [".git", "dep", "deploy/other", "deploy/prod/keys.toml.md", "docs/.github", "prod"] {
            assert!(!is_protected_path(path, &extra), "{path}");
        }
    }

    #[test]
    fn an_entry_names_a_file_or_a_folder_of_the_repository() {
        for good in ["Makefile", "deploy/", "a/b/c.toml", ".env"] {
            assert_eq!(ProtectedPath::parse(good).unwrap().as_str(), good);
        }
        for bad in ["", "/", "/etc", "a//b", "../a", "a/./b", "a\\b", "a\u{202e}b", "a\n", &"x".repeat(1025)]
        {
            assert!(ProtectedPath::parse(bad).is_err(), "{bad:?}");
        }
    }
}
