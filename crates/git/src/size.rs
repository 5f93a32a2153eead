//! How much of the disk a repository takes.

use std::path::{Path, PathBuf};

use countersign_core::id::ResourceId;

use crate::error::{GitError, Result};
use crate::host::GitHost;

impl GitHost {
    /// How many bytes the objects of a repository have on the disk, with those that are still in quarantine.
    pub async fn size(&self, id: ResourceId) -> Result<u64> {
        self.with_refs(id, |refs| size_of(refs.path().join("objects"))).await
    }
}

/// The sizes of all files below a folder. What is removed meanwhile counts nothing.
pub(crate) fn size_of(folder: PathBuf) -> Result<u64> {
    let gone = |e: &std::io::Error| e.kind() == std::io::ErrorKind::NotFound;
    let mut folders = vec![folder];
    let mut bytes = 0;
    while let Some(folder) = folders.pop() {
        let wrong = |place: &Path| GitError::disk("measure", place.to_owned());
        let listed = match std::fs::read_dir(&folder) {
            Ok(listed) => listed,
            Err(e) if gone(&e) => continue,
            Err(e) => return Err(wrong(&folder)(e)),
        };
        for entry in listed {
            let entry = entry.map_err(wrong(&folder))?;
            match entry.metadata() {
                Ok(found) if found.is_dir() => folders.push(entry.path()),
                Ok(found) => bytes += found.len(),
                Err(e) if gone(&e) => {}
                Err(e) => return Err(wrong(&entry.path())(e)),
            }
        }
    }
    Ok(bytes)
}
