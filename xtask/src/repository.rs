//! What the rules look at: the files under version control and the packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::package::Package;
use crate::source::Source;

/// The checkout.
#[derive(Debug, Default)]
pub(crate) struct Repository {
    /// Where it is.
    pub(crate) root: PathBuf,
    /// Its text files, by path. Files that are not UTF-8 are left out.
    pub(crate) sources: Vec<Source>,
    /// The members of the workspace.
    pub(crate) packages: Vec<Package>,
}

/// Why the checkout could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("cannot start `{0}`: {1}")]
    Start(&'static str, std::io::Error),
    #[error("`{0}` failed: {1}")]
    Failed(&'static str, String),
    #[error("cannot read what `cargo metadata` says: {0}")]
    Metadata(#[from] serde_json::Error),
    #[error("cannot write {0}: {1}")]
    Write(PathBuf, std::io::Error),
}

impl Repository {
    /// Reads the checkout that this tool was built in.
    pub(crate) fn open() -> Result<Self, Unreadable> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned();
        let names = output(&root, "git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
        let mut sources: Vec<Source> = names
            .split('\0')
            .filter(|path| !path.is_empty())
            .filter_map(|path| {
                Some(Source { path: path.to_owned(), text: std::fs::read_to_string(root.join(path)).ok()? })
            })
            .collect();
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        sources.dedup_by(|a, b| a.path == b.path);
        let metadata =
            output(&root, "cargo", &["metadata", "--no-deps", "--offline", "--format-version", "1"])?;
        let Metadata { packages } = serde_json::from_str(&metadata)?;
        Ok(Self { root, sources, packages })
    }

    /// The file at `path`.
    pub(crate) fn find(&self, path: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.path == path)
    }

    /// Its Rust files.
    pub(crate) fn rust(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter().filter(|source| source.is_rust())
    }

    /// A checkout of these files alone, for the tests of the rules.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let sources =
            files.iter().map(|(path, text)| Source { path: (*path).into(), text: (*text).into() }).collect();
        Self { sources, ..Self::default() }
    }
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[expect(clippy::disallowed_methods, reason = "a tool of the developers asks git and cargo what is there")]
fn output(root: &Path, program: &'static str, arguments: &[&str]) -> Result<String, Unreadable> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root)
        .output()
        .map_err(|error| Unreadable::Start(program, error))?;
    if !output.status.success() {
        return Err(Unreadable::Failed(program, String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
