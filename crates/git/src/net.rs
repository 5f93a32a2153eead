//! The net under the tending of objects: every file of them under a second name, until what takes its place is on the
//! disk.
//!
//! git writes a new pack and removes what that holds in one go. It syncs files and no folders, so that a disk may keep
//! the removals of one folder and lose the names that another one got before (docs/decisions/13-power-cut.md). A hard
//! link takes no room.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::{GitError, Result};
use crate::folder::entries;
use crate::repo::sync_file_system;

/// Beside HEAD: what its folders hold is named there as in `objects`.
const NET: &str = "countersign-net";

/// Spreads it, and makes it survive a power cut. Only under the exclusive lock of the refs, as all that follows.
pub(crate) fn spread(repository: &Path) -> Result<()> {
    catch(repository)?;
    let net = repository.join(NET);
    link_all(&repository.join("objects"), &net)?;
    sync_file_system(repository)
}

/// Makes what was tended survive a power cut, and takes the net away.
pub(crate) fn take_away(repository: &Path) -> Result<()> {
    sync_file_system(repository)?;
    remove(&repository.join(NET))
}

/// Whether one is spread: a tending was cut short, or goes on.
pub(crate) fn is_spread(repository: &Path) -> bool {
    repository.join(NET).exists()
}

/// Puts back what a tending that was cut short has removed; how many files. An object that comes back beside the pack
/// that holds it is in the way of nobody.
pub(crate) fn catch(repository: &Path) -> Result<usize> {
    if !is_spread(repository) {
        return Ok(0);
    }
    let net = repository.join(NET);
    let back = link_all(&net, &repository.join("objects"))?;
    sync_file_system(repository)?;
    remove(&net)?;
    Ok(back)
}

/// Links the files of packs and of loose objects below one folder into another one where they are not; how many.
fn link_all(from: &Path, to: &Path) -> Result<usize> {
    let mut linked = 0;
    for folder in entries(from)?.into_iter().filter(|entry| holds_objects(&entry.file_name())) {
        let into = to.join(folder.file_name());
        fs::create_dir_all(&into).map_err(GitError::disk("make", &into))?;
        let (indexes, others): (Vec<_>, Vec<_>) = entries(&folder.path())?
            .into_iter()
            .map(|entry| entry.path())
            .partition(|file| file.extension().is_some_and(|end| end == "idx"));
        // Who reads meanwhile finds a pack by its index.
        for file in others.into_iter().chain(indexes) {
            linked += usize::from(link(&file, &into)?);
        }
    }
    Ok(linked)
}

/// `pack`, and the first byte of an id (gitrepository-layout).
fn holds_objects(folder: &std::ffi::OsStr) -> bool {
    let name = folder.as_encoded_bytes();
    name == b"pack" || (name.len() == 2 && name.iter().all(u8::is_ascii_hexdigit))
}

/// Whether it was not there.
fn link(file: &Path, folder: &Path) -> Result<bool> {
    let to: PathBuf = file.file_name().map(|name| folder.join(name)).unwrap_or_default();
    match fs::hard_link(file, &to) {
        Ok(()) => Ok(true),
        // A temporary file goes whenever its git ends.
        Err(e) if matches!(e.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => Ok(false),
        Err(e) => Err(GitError::disk("link", to)(e)),
    }
}

fn remove(net: &Path) -> Result<()> {
    match fs::remove_dir_all(net) {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(GitError::disk("remove", net)(e)),
        Ok(()) | Err(_) => Ok(()),
    }
}
