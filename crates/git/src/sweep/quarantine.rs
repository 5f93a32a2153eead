//! The folders in which a killed git kept what a push had brought so far.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::STALE;
use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::folder::entries;
use crate::host::GitHost;
use crate::lock::ObjectsLock;
use crate::quarantine::BEGINNING;

/// What a sweep of quarantines came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quarantines {
    /// How many were removed.
    pub removed: usize,
    /// How many are too young.
    pub young: usize,
}

impl GitHost {
    /// Removes the quarantines in which nothing was written for five seconds. A younger one is left to the next time: it
    /// was left just now, or is a person's, who pushes straight to the folder.
    ///
    /// The lock proves that none is a git's of ours, however long its client says nothing: every push inherits it.
    pub async fn sweep_quarantines(&self, lock: &ObjectsLock) -> Result<Quarantines> {
        let objects = self.path(lock.repository()).join("objects");
        blocking(move || remove_stale(&objects)).await
    }
}

/// Whether one lies there in which nothing was written for five seconds.
pub(crate) fn is_left(objects: &Path) -> Result<bool> {
    for entry in entries(objects)? {
        if is_quarantine(&entry)
            && newest(&entry.path())?.is_some_and(|written| written.elapsed().is_ok_and(|age| age >= STALE))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_quarantine(entry: &fs::DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(BEGINNING) && entry.path().is_dir()
}

fn remove_stale(objects: &Path) -> Result<Quarantines> {
    let (mut removed, mut young) = (0, 0);
    for entry in entries(objects)? {
        let place = entry.path();
        if !is_quarantine(&entry) {
            continue;
        }
        let Some(written) = newest(&place)? else { continue };
        if !written.elapsed().is_ok_and(|age| age >= STALE) {
            young += 1;
            continue;
        }
        match fs::remove_dir_all(&place) {
            Ok(()) => removed += 1,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => return Err(GitError::disk("remove", place)(e)),
        }
    }
    Ok(Quarantines { removed, young })
}

/// When anything in a folder was written last; `None` once it is gone.
fn newest(folder: &Path) -> Result<Option<SystemTime>> {
    let written = |place: &PathBuf| match fs::symlink_metadata(place) {
        Ok(found) => found.modified().map(Some).map_err(GitError::disk("read", place)),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(GitError::disk("read", place)(e)),
    };
    let mut newest = None;
    let mut places = vec![folder.to_owned()];
    while let Some(place) = places.pop() {
        newest = newest.max(written(&place)?);
        if place.is_dir() {
            places.extend(entries(&place)?.into_iter().map(|entry| entry.path()));
        }
    }
    Ok(newest)
}
