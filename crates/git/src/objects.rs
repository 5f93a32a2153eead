//! Objects that were made in memory, and their way to the disk.

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use gix::objs::{Kind, Write as _};
use gix::odb::loose;

use crate::commit::{CommitBytes, write_commit};
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::repo::sync_file_system;

/// A tree that was made in memory. Nothing of it is in the repository: every object in there can be fetched by its
/// id, also one that nobody approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTree {
    oid: Oid,
    objects: Vec<(Kind, Vec<u8>)>,
}

impl NewTree {
    /// The tree `oid`, and the blobs and trees that the repository lacks.
    pub(crate) const fn new(oid: Oid, objects: Vec<(Kind, Vec<u8>)>) -> Self {
        Self { oid, objects }
    }

    /// The id of the tree.
    pub const fn oid(&self) -> Oid {
        self.oid
    }
}

impl GitHost {
    /// Writes a tree and the commit on it, and makes them survive a power cut. What was written before stays as it
    /// is; nothing names the commit yet.
    pub async fn write(&self, id: ResourceId, tree: NewTree, commit: CommitBytes) -> Result<()> {
        self.with_refs(id, move |refs| {
            let store = loose::Store::at(refs.path().join("objects"), gix::hash::Kind::Sha1);
            for (kind, data) in &tree.objects {
                store.write_buf(*kind, data).map_err(GitError::engine("write an object"))?;
            }
            write_commit(&store, &commit)?;
            sync_file_system(refs.path())
        })
        .await
    }
}
