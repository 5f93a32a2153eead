//! The workspace's packages and what they depend on, as `cargo metadata` tells it.

use serde::Deserialize;

/// A member of the workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    name: String,
    /// What it depends on directly, of every kind.
    pub(crate) dependencies: Vec<Dependency>,
}

/// One line of a manifest's dependencies.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    name: String,
    /// Nothing for an ordinary one, else `dev` or `build`.
    kind: Option<String>,
    /// Where it is, when it belongs to the workspace.
    path: Option<String>,
}

impl Package {
    /// The name that the house uses: `store` for `countersign-store`.
    pub(crate) fn short(&self) -> &str {
        short(&self.name)
    }

    /// A package for the tests of the rules.
    #[cfg(test)]
    pub(crate) fn of(short: &str, dependencies: Vec<Dependency>) -> Self {
        Self { name: format!("countersign-{short}"), dependencies }
    }
}

impl Dependency {
    /// The name that the house uses.
    pub(crate) fn short(&self) -> &str {
        if self.is_ours() { short(&self.name) } else { &self.name }
    }

    /// Whether it is a member of the workspace.
    pub(crate) fn is_ours(&self) -> bool {
        self.path.is_some()
    }

    /// Whether only tests and benches see it.
    pub(crate) fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }

    /// A crate of the workspace, for the tests of the rules.
    #[cfg(test)]
    pub(crate) fn ours(short: &str, kind: Option<&str>) -> Self {
        Self {
            name: format!("countersign-{short}"),
            kind: kind.map(str::to_owned),
            path: Some(String::new()),
        }
    }

    /// A crate from outside, for the tests of the rules.
    #[cfg(test)]
    pub(crate) fn outside(name: &str) -> Self {
        Self { name: name.to_owned(), kind: None, path: None }
    }
}

fn short(name: &str) -> &str {
    name.strip_prefix("countersign-").unwrap_or(name)
}
