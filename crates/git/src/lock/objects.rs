//! The lock of the objects: taken alone by whoever throws some away, shared by whoever needs them all to stay.

use std::fs::File;
use std::os::fd::OwnedFd;

use countersign_core::id::ResourceId;

use super::file::share;
use crate::error::Result;

/// No push is on its way to the repository, nor a git that one left, until this is dropped and every child that
/// inherited it has ended.
#[derive(Debug)]
pub struct ObjectsLock {
    pub(super) file: File,
    pub(super) id: ResourceId,
}

impl ObjectsLock {
    /// The same open file once more, to be inherited by a git that throws objects away.
    pub(crate) fn share(&self) -> Result<OwnedFd> {
        share(&self.file, self.id)
    }

    /// Whose objects.
    pub const fn repository(&self) -> ResourceId {
        self.id
    }
}

/// Nothing of the objects is thrown away until this is dropped.
#[derive(Debug)]
pub struct ObjectsKept {
    pub(super) _file: File,
    pub(super) id: ResourceId,
}

impl ObjectsKept {
    /// Whose objects.
    pub const fn repository(&self) -> ResourceId {
        self.id
    }
}
