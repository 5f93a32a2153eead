//! The folders in which a killed git kept what a push had brought so far.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{LOOK, STALE, entries};
use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::quarantine::BEGINNING;

/// Removes every quarantine below `objects` in which nothing was written for five seconds; a younger one is waited
/// for. Under the exclusive lock none is a git's of ours; what a person pushes straight to the folder goes on being
/// written.
pub(super) async fn sweep(objects: &Path) -> Result<usize> {
    let (mut removed, mut waited) = (0, std::time::Duration::ZERO);
    loop {
        let folder = objects.to_owned();
        let (gone, young) = blocking(move || remove_stale(&folder)).await?;
        removed += gone;
        if young == 0 || waited >= STALE {
            return Ok(removed);
        }
        tokio::time::sleep(LOOK).await;
        waited += LOOK;
    }
}

/// Whether one lies there in which nothing was written for five seconds.
pub(super) fn is_left(objects: &Path) -> Result<bool> {
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

/// How many were removed, and how many are too young.
fn remove_stale(objects: &Path) -> Result<(usize, usize)> {
    let (mut removed, mut young) = (0, 0);
    for entry in entries(objects)? {
        let place = entry.path();
        if !is_quarantine(&entry) {
            continue;
        }
        let Some(written) = newest(&place)? else { continue };
        if written.elapsed().is_ok_and(|age| age >= STALE) {
            match fs::remove_dir_all(&place) {
                Ok(()) => removed += 1,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => return Err(GitError::disk("remove", place)(e)),
            }
        } else {
            young += 1;
        }
    }
    Ok((removed, young))
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
