//! What a push holds: the objects from its beginning, the refs from its decision on, both until its git has ended.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use countersign_core::id::ResourceId;
use rustix::fs::{FlockOperation, flock};
use tokio::sync::{OwnedRwLockReadGuard, RwLock};

use super::file::{locked, open, share};
use crate::error::{GitError, Result};

/// The locks of one push, held until this is dropped and every child that inherited them has ended.
///
/// The file of the refs is open and inherited from the beginning, and locked later: `flock` belongs to the open file,
/// so a git that was started before the lock was taken holds it as well, also when the server is killed.
#[derive(Debug)]
pub struct PushLock {
    pub(super) id: ResourceId,
    /// Locked, shared.
    pub(super) objects: File,
    /// Locked, shared, once [`Self::take_refs`] has done so.
    pub(super) refs: File,
    pub(super) gate: PathBuf,
    pub(super) door: Arc<RwLock<()>>,
    pub(super) inside: Mutex<Option<OwnedRwLockReadGuard<()>>>,
}

impl PushLock {
    /// Takes the refs, shared; answers [`GitError::Busy`] when that takes longer than `patience`.
    pub async fn take_refs(&self, patience: Duration) -> Result<RefsTaken<'_>> {
        let taking = async {
            let inside = Arc::clone(&self.door).read_owned().await;
            let gate = open(&self.gate)?;
            locked(&gate, FlockOperation::NonBlockingLockShared, self.id).await?;
            locked(&self.refs, FlockOperation::NonBlockingLockShared, self.id).await?;
            Ok(inside)
        };
        let inside = tokio::time::timeout(patience, taking).await.map_err(|_| GitError::Busy(self.id))??;
        *self.inside.lock().unwrap_or_else(PoisonError::into_inner) = Some(inside);
        Ok(RefsTaken(Some(self)))
    }

    /// Gives the refs back before git has ended, for itself and for git: it has moved none, or it has moved all that it
    /// will and they are told of.
    pub fn give_refs_back(&self) {
        if let Err(error) = flock(&self.refs, FlockOperation::Unlock) {
            tracing::warn!(repository = %self.id, %error, "the refs stay locked until the git of a push has ended");
        }
        drop(self.inside.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// The open files once more, to be inherited by the git of the push.
    pub(crate) fn share(&self) -> Result<[OwnedFd; 2]> {
        Ok([share(&self.objects, self.id)?, share(&self.refs, self.id)?])
    }

    /// Where it pushes to.
    pub const fn repository(&self) -> ResourceId {
        self.id
    }
}

/// The refs, taken for a decision: dropped before it is [kept](Self::keep), they are given back at once.
#[derive(Debug)]
#[must_use]
pub struct RefsTaken<'a>(Option<&'a PushLock>);

impl RefsTaken<'_> {
    /// The push may move refs: its git holds them to its end.
    pub fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for RefsTaken<'_> {
    fn drop(&mut self) {
        if let Some(lock) = self.0 {
            lock.give_refs_back();
        }
    }
}
