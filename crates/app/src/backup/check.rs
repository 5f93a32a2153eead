//! Check: whether a file is a whole backup, without restoring it.

use std::path::Path;

use countersign_core::backup::{EntryName, Head};
use countersign_core::problem::Problem;
use serde::Serialize;

use super::read::Archive;

/// A backup in which every byte is as it was written.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// What its first entry says.
    #[serde(flatten)]
    pub head: Head,
    /// How many bytes it has.
    pub bytes: u64,
    /// How many entries.
    pub entries: usize,
    /// How many rows.
    pub rows: u64,
    /// How many repositories.
    pub repositories: usize,
}

impl Checked {
    pub(crate) fn of(archive: &Archive) -> Self {
        let is_repository = |name: &EntryName| matches!(name, EntryName::Refs(_));
        Self {
            head: archive.head.clone(),
            bytes: archive.size,
            entries: archive.entries().count(),
            rows: archive.entries().filter_map(|entry| entry.rows).sum(),
            repositories: archive.entries().filter(|entry| is_repository(&entry.name)).count(),
        }
    }
}

/// Reads all of a backup and holds it against its own digests.
pub async fn check(path: &Path) -> Result<Checked, Problem> {
    open(path).await.map(|archive| Checked::of(&archive))
}

/// Reads a file off the async threads.
pub(crate) async fn open(path: &Path) -> Result<Archive, Problem> {
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || Archive::open(&path)).await.map_err(Problem::internal)?
}
