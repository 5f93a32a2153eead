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
    /// The id of the tree.
    pub const fn oid(&self) -> Oid {
        self.oid
    }
}

/// Blobs and trees on the way to a [`NewTree`].
#[derive(Debug, Default)]
pub(crate) struct NewObjects(Vec<(Kind, Vec<u8>)>);

impl NewObjects {
    /// Keeps an object, and gives its id.
    pub(crate) fn add(&mut self, kind: Kind, data: Vec<u8>) -> Result<gix::ObjectId> {
        let id = gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, &data);
        let id = id.map_err(GitError::engine("name an object"))?;
        self.0.push((kind, data));
        Ok(id)
    }

    /// The tree `oid`, with all that was made for it.
    pub(crate) fn tree(self, oid: Oid) -> NewTree {
        NewTree { oid, objects: self.0 }
    }
}

impl GitHost {
    /// Writes a tree and the commit on it. Each object is written whether there is one or not: one that a power cut left
    /// empty is whole again. Nothing names the commit yet; the transaction that does makes it survive a power cut first.
    pub async fn write(&self, id: ResourceId, tree: NewTree, commit: CommitBytes) -> Result<()> {
        self.with_refs(id, move |refs| {
            let store = loose::Store::at(refs.path().join("objects"), gix::hash::Kind::Sha1);
            for (kind, data) in &tree.objects {
                store.write_buf(*kind, data).map_err(GitError::engine("write an object"))?;
            }
            write_commit(&store, &commit)
        })
        .await
    }

    /// Makes all that was written to a repository so far survive a power cut.
    pub async fn sync(&self, id: ResourceId) -> Result<()> {
        self.with_refs(id, |refs| sync_file_system(refs.path())).await
    }
}
