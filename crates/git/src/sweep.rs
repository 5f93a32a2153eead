//! What a killed git or a killed server leaves behind, removed when nobody can still be using it.

pub(crate) mod quarantine;

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use self::quarantine::Quarantines;
use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::folder::entries;
use crate::host::GitHost;
use crate::lock::{Hold, RepoLock};
use crate::net;

/// How old a temporary object must be: another server's reader may make one outside the lock.
const OLD: Duration = Duration::from_hours(1);
/// How long a lock file must have lain there untouched: a git that a person runs in the folder takes no
/// repository lock, and holds its lock files for milliseconds.
const STALE: Duration = Duration::from_secs(5);
/// How often a young lock file is looked at until it is gone or stale.
const LOOK: Duration = Duration::from_millis(100);

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Lock files of refs, as paths inside the repository.
    pub locks: Vec<PathBuf>,
    /// How many temporary objects.
    pub objects: usize,
}

/// A lock file as it was seen: another file of the same name is another git's.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LockFile {
    path: PathBuf,
    inode: u64,
    changed: SystemTime,
}

impl GitHost {
    /// Puts back what a tending that was cut short has removed. Removes lock files of refs that have lain untouched for five seconds, and temporary objects older than an hour. A
    /// younger lock file is waited for: it goes by itself, or grows stale.
    ///
    /// Only under the exclusive lock of the refs: it proves that no git of ours lives that made them, since every git
    /// that moves refs inherits the lock. Run again, it removes what is left.
    pub async fn sweep(&self, lock: &RepoLock) -> Result<Swept> {
        if lock.hold() != Hold::Exclusive {
            return Err(GitError::Busy(lock.repository()));
        }
        let repository = self.path(lock.repository());
        let torn = repository.clone();
        let back = blocking(move || net::catch(&torn)).await?;
        if back > 0 {
            tracing::warn!(repository = %lock.repository(), back, "what upkeep had removed was put back");
        }
        let locks = sweep_locks(&repository).await?;
        if !locks.is_empty() {
            tracing::warn!(repository = %lock.repository(), ?locks, "stale ref locks removed");
        }
        let objects = blocking(move || sweep_all_objects(&repository.join("objects"))).await?;
        Ok(Swept { locks, objects })
    }
}

/// Whether a sweep would find something that has lain long enough. What a living git holds may look so: the lock tells.
pub(crate) fn left_behind(repository: &Path) -> Result<bool> {
    let objects = repository.join("objects");
    if net::is_spread(repository) {
        return Ok(true);
    }
    if find_locks(repository)?.iter().any(|lock| lock.is_stale(Duration::ZERO)) {
        return Ok(true);
    }
    for folder in [objects.join("pack"), objects] {
        for entry in entries(&folder)? {
            if is_old_object(&entry)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

async fn sweep_locks(repository: &Path) -> Result<Vec<PathBuf>> {
    let folder = repository.to_owned();
    let mut watched = blocking(move || find_locks(&folder)).await?;
    let (mut waited, mut removed) = (Duration::ZERO, Vec::new());
    while !watched.is_empty() {
        let (stale, young) = watched.into_iter().partition::<Vec<_>, _>(|lock| lock.is_stale(waited));
        for lock in stale {
            if lock.is_there()? && remove(&lock.path)? {
                removed.push(lock.path.strip_prefix(repository).unwrap_or(&lock.path).to_owned());
            }
        }
        watched = young;
        if !watched.is_empty() {
            tokio::time::sleep(LOOK).await;
            waited += LOOK;
        }
    }
    Ok(removed)
}

impl LockFile {
    /// The file at `path`, or `None` where there is none.
    fn see(path: PathBuf) -> Result<Option<Self>> {
        match fs::symlink_metadata(&path) {
            Ok(found) => {
                let changed = found.modified().map_err(GitError::disk("read", &path))?;
                Ok(Some(Self { inode: found.ino(), changed, path }))
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(GitError::disk("read", path)(e)),
        }
    }

    /// Whether it is old by its own time, or was watched long enough.
    fn is_stale(&self, watched: Duration) -> bool {
        watched >= STALE || self.changed.elapsed().is_ok_and(|age| age >= STALE)
    }

    /// Whether the very same file still lies there.
    fn is_there(&self) -> Result<bool> {
        Ok(Self::see(self.path.clone())?.as_ref() == Some(self))
    }
}

fn find_locks(repository: &Path) -> Result<Vec<LockFile>> {
    let mut paths: Vec<PathBuf> = ["HEAD.lock", "packed-refs.lock", "packed-refs.new", "config.lock"]
        .iter()
        .map(|name| repository.join(name))
        .collect();
    let mut folders = vec![repository.join("refs")];
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder)? {
            let kind = entry.file_type().map_err(GitError::disk("read", entry.path()))?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if entry.file_name().as_encoded_bytes().ends_with(b".lock") {
                paths.push(entry.path());
            }
        }
    }
    let seen: Result<Vec<_>> = paths.into_iter().map(LockFile::see).collect();
    Ok(seen?.into_iter().flatten().collect())
}

fn sweep_all_objects(objects: &Path) -> Result<usize> {
    let mut removed = 0;
    for folder in entries(objects)?.into_iter().map(|entry| entry.path()).chain([objects.to_owned()]) {
        if folder.is_dir() {
            removed += sweep_objects(&folder)?;
        }
    }
    Ok(removed)
}

fn sweep_objects(folder: &Path) -> Result<usize> {
    let mut removed = 0;
    for entry in entries(folder)? {
        if is_old_object(&entry)? {
            removed += usize::from(remove(&entry.path())?);
        }
    }
    Ok(removed)
}

/// gix leaves `.tmpXXXXXX`, which no git ever removes; git leaves `tmp_obj_…` and `tmp_pack_…`.
fn is_old_object(entry: &fs::DirEntry) -> Result<bool> {
    let name = entry.file_name();
    let name = name.as_encoded_bytes();
    if !(name.starts_with(b".tmp") || name.starts_with(b"tmp_")) {
        return Ok(false);
    }
    let metadata = match entry.metadata() {
        Ok(metadata) => metadata,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(e) => return Err(GitError::disk("read", entry.path())(e)),
    };
    let age = metadata.modified().ok().and_then(|at| at.elapsed().ok());
    Ok(metadata.is_file() && age.is_some_and(|age| age > OLD))
}

fn remove(path: &Path) -> Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(GitError::disk("remove", path)(e)),
    }
}
