//! The locks of a repository: by `flock` between servers and orphans, and fair within this process.
//!
//! Three files lie beside each repository and are never removed.
//!
//! `<id>.objects` keeps what is there: shared by a push for its whole life, since its client leaves out what it saw
//! there, and by a backup, which packs what the store named; exclusive for whoever throws objects or the quarantines of
//! pushes away. A push may take minutes, so nobody queues for this one: who wants it alone comes again later, and keeps
//! no push waiting meanwhile.
//!
//! `<id>.lock` is the lock of the refs: shared for whoever moves refs, exclusive for whoever must have them at rest,
//! sweeps their lock files or repacks. It is held for short work alone: a push takes it once all of it is there, at
//! its decision. `<id>.gate` is its turnstile: whoever wants the refs passes it, and an exclusive one keeps it while it
//! waits, so that a steady stream of shared holders on other servers cannot keep it out for ever.
//!
//! There is one order: objects before refs. Who holds the refs never waits for the objects.
//!
//! A git child that writes inherits the open files. `flock` belongs to the open file, not to the process: when the
//! server dies, its orphaned git still holds the locks, and nobody sweeps away the ref locks or objects under it.

mod file;
mod objects;
mod push;

use std::collections::HashMap;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use countersign_core::id::ResourceId;
use rustix::fs::FlockOperation;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

use self::file::{locked, open};
pub use self::objects::{ObjectsKept, ObjectsLock};
pub use self::push::{PushLock, RefsTaken};
use crate::error::{GitError, Result};

/// How long a lock is waited for.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What the lock of the refs is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// One approval: shared with pushes and with other servers, one at a time in this process.
    Approval,
    /// HEAD, moved as a push moves refs: shared. A push itself has a [`PushLock`].
    Push,
    /// Sweep, repack, create, compare: nobody else moves refs.
    Exclusive,
}

/// The lock of the refs, held until this is dropped and every child that inherited it has ended.
#[derive(Debug)]
pub struct RepoLock {
    file: File,
    id: ResourceId,
    hold: Hold,
    _inside: Inside,
}

#[derive(Debug)]
enum Inside {
    Approval { _turn: OwnedMutexGuard<()>, _shared: OwnedRwLockReadGuard<()> },
    Push { _shared: OwnedRwLockReadGuard<()> },
    Exclusive { _alone: OwnedRwLockWriteGuard<()> },
}

impl RepoLock {
    /// The same open file once more, to be inherited by a git that writes.
    pub(crate) fn share(&self) -> Result<OwnedFd> {
        file::share(&self.file, self.id)
    }

    /// Which repository is locked.
    pub const fn repository(&self) -> ResourceId {
        self.id
    }

    /// What it is held for.
    pub const fn hold(&self) -> Hold {
        self.hold
    }
}

#[derive(Debug, Default)]
struct Seat {
    turn: Arc<Turn<()>>,
    door: Arc<RwLock<()>>,
}

/// The locks of this process, one seat a repository that is in use.
#[derive(Debug)]
pub(crate) struct Locks {
    root: PathBuf,
    seats: Mutex<HashMap<ResourceId, Arc<Seat>>>,
}

impl Locks {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root, seats: Mutex::default() }
    }

    /// Takes the lock, or answers [`GitError::Busy`] when that takes longer than `patience`.
    pub(crate) async fn take(&self, id: ResourceId, hold: Hold, patience: Duration) -> Result<RepoLock> {
        let taken = tokio::time::timeout(patience, self.enter(id, hold)).await;
        taken.map_err(|_| GitError::Busy(id))?
    }

    async fn enter(&self, id: ResourceId, hold: Hold) -> Result<RepoLock> {
        let inside = sit(&self.seat(id), hold).await;
        let gate = open(&self.root.join(format!("{id}.gate")))?;
        let file = open(&self.root.join(format!("{id}.lock")))?;
        let wanted = match hold {
            Hold::Approval | Hold::Push => FlockOperation::NonBlockingLockShared,
            Hold::Exclusive => FlockOperation::NonBlockingLockExclusive,
        };
        locked(&gate, wanted, id).await?;
        locked(&file, wanted, id).await?;
        // The gate closes behind us when `gate` is dropped here; the lock stays.
        Ok(RepoLock { file, id, hold, _inside: inside })
    }

    /// Takes the objects, shared, and gets the refs ready; answers [`GitError::Busy`] when that takes longer than
    /// `patience`.
    pub(crate) async fn take_for_push(&self, id: ResourceId, patience: Duration) -> Result<PushLock> {
        let objects = self.objects(id, FlockOperation::NonBlockingLockShared, patience).await?;
        let refs = open(&self.root.join(format!("{id}.lock")))?;
        let gate = self.root.join(format!("{id}.gate"));
        let door = Arc::clone(&self.seat(id).door);
        Ok(PushLock { id, objects, refs, gate, door, inside: Mutex::default() })
    }

    /// Takes the objects alone, or answers [`GitError::Busy`] when pushes are on their way for longer than `patience`.
    /// Nobody waits for who waits here.
    pub(crate) async fn take_objects(&self, id: ResourceId, patience: Duration) -> Result<ObjectsLock> {
        let file = self.objects(id, FlockOperation::NonBlockingLockExclusive, patience).await?;
        Ok(ObjectsLock { file, id })
    }

    /// Takes the objects, shared, for a backup; answers [`GitError::Busy`] when they are taken alone for longer than
    /// `patience`.
    pub(crate) async fn keep_objects(&self, id: ResourceId, patience: Duration) -> Result<ObjectsKept> {
        let file = self.objects(id, FlockOperation::NonBlockingLockShared, patience).await?;
        Ok(ObjectsKept { _file: file, id })
    }

    async fn objects(&self, id: ResourceId, wanted: FlockOperation, patience: Duration) -> Result<File> {
        let file = open(&self.root.join(format!("{id}.objects")))?;
        let taken = tokio::time::timeout(patience, locked(&file, wanted, id)).await;
        taken.map_err(|_| GitError::Busy(id))??;
        Ok(file)
    }

    fn seat(&self, id: ResourceId) -> Arc<Seat> {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        seats.retain(|_, seat| {
            Arc::strong_count(seat) > 1
                || Arc::strong_count(&seat.turn) > 1
                || Arc::strong_count(&seat.door) > 1
        });
        Arc::clone(seats.entry(id).or_default())
    }
}

async fn sit(seat: &Seat, hold: Hold) -> Inside {
    match hold {
        Hold::Approval => {
            let turn = Arc::clone(&seat.turn).lock_owned().await;
            Inside::Approval { _turn: turn, _shared: Arc::clone(&seat.door).read_owned().await }
        }
        Hold::Push => Inside::Push { _shared: Arc::clone(&seat.door).read_owned().await },
        Hold::Exclusive => Inside::Exclusive { _alone: Arc::clone(&seat.door).write_owned().await },
    }
}
