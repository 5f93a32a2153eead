//! What a killed git or a killed server leaves behind, removed when nobody can still be using it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::lock::{Hold, RepoLock};

/// How old a temporary object must be: another server's reader may make one outside the lock.
const OLD: Duration = Duration::from_hours(1);

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Lock files of refs, as paths inside the repository.
    pub locks: Vec<PathBuf>,
    /// How many temporary objects.
    pub objects: usize,
}

impl GitHost {
    /// Removes stale lock files of refs, and temporary objects older than an hour.
    ///
    /// Only under the exclusive lock: it proves that no git of ours lives that made them, since
    /// every git that writes inherits the lock. Run again, it removes what is left.
    pub async fn sweep(&self, lock: &RepoLock) -> Result<Swept> {
        if lock.hold() != Hold::Exclusive {
            return Err(GitError::Busy(lock.repository()));
        }
        let repository = self.path(lock.repository());
        let swept = blocking(move || sweep(&repository)).await?;
        if !swept.locks.is_empty() {
            tracing::warn!(repository = %lock.repository(), locks = ?swept.locks, "stale ref locks removed");
        }
        Ok(swept)
    }
}

fn sweep(repository: &Path) -> Result<Swept> {
    let mut swept = Swept::default();
    for name in ["HEAD.lock", "packed-refs.lock", "packed-refs.new", "config.lock"] {
        remove_lock(repository, repository.join(name), &mut swept)?;
    }
    let mut folders = vec![repository.join("refs")];
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder)? {
            let kind = entry.file_type().map_err(GitError::disk("read", entry.path()))?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if entry.file_name().as_encoded_bytes().ends_with(b".lock") {
                remove_lock(repository, entry.path(), &mut swept)?;
            }
        }
    }
    let objects = repository.join("objects");
    for folder in entries(&objects)?.into_iter().map(|entry| entry.path()).chain([objects.clone()]) {
        if folder.is_dir() {
            swept.objects += sweep_objects(&folder)?;
        }
    }
    Ok(swept)
}

/// gix leaves `.tmpXXXXXX`, which no git ever removes; git leaves `tmp_obj_…` and `tmp_pack_…`.
fn sweep_objects(folder: &Path) -> Result<usize> {
    let mut removed = 0;
    for entry in entries(folder)? {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if !(name.starts_with(b".tmp") || name.starts_with(b"tmp_")) {
            continue;
        }
        let wrong = GitError::disk("read", entry.path());
        let metadata = entry.metadata().map_err(wrong)?;
        let age = metadata.modified().ok().and_then(|at| at.elapsed().ok());
        if metadata.is_file() && age.is_some_and(|age| age > OLD) {
            removed += usize::from(remove(&entry.path())?);
        }
    }
    Ok(removed)
}

fn remove_lock(repository: &Path, path: PathBuf, swept: &mut Swept) -> Result<()> {
    if remove(&path)? {
        swept.locks.push(path.strip_prefix(repository).map(Path::to_owned).unwrap_or(path));
    }
    Ok(())
}

fn remove(path: &Path) -> Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(GitError::disk("remove", path)(e)),
    }
}

/// The entries of a folder; none where it does not exist.
fn entries(folder: &Path) -> Result<Vec<fs::DirEntry>> {
    match fs::read_dir(folder) {
        Ok(list) => list.collect::<std::io::Result<_>>().map_err(GitError::disk("list", folder)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(GitError::disk("list", folder)(e)),
    }
}
