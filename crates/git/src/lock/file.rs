//! A lock file, and how `flock` is waited for.

use std::fs::{File, OpenOptions};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::Duration;

use countersign_core::id::ResourceId;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::error::{GitError, Result};

pub(super) fn open(path: &Path) -> Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
        .map_err(GitError::disk("open the lock file", path))
}

/// Tries again with growing pauses: a blocking `flock` could not be given up.
pub(super) async fn locked(file: &File, wanted: FlockOperation, id: ResourceId) -> Result<()> {
    let mut pause = Duration::from_millis(1);
    loop {
        match flock(file, wanted) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK) => tokio::time::sleep(pause).await,
            Err(Errno::INTR) => {}
            Err(e) => return Err(GitError::disk("lock", id.to_string())(e.into())),
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// The same open file once more, to be inherited by a git.
pub(super) fn share(file: &File, id: ResourceId) -> Result<OwnedFd> {
    file.try_clone().map(OwnedFd::from).map_err(GitError::disk("duplicate the lock of", id.to_string()))
}
