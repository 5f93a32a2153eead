//! The repository lock: fair within this process, and by `flock` between servers and orphans.
//!
//! Two files lie beside each repository and are never removed. `<id>.lock` is the lock: shared
//! for whoever moves refs, exclusive for whoever sweeps or prunes. `<id>.gate` is a turnstile:
//! whoever wants the lock passes it, and an exclusive one keeps it while it waits, so that a
//! steady stream of shared holders on other servers cannot keep it out for ever.
//!
//! A git child that writes inherits the open lock file. `flock` belongs to the open file, not
//! to the process: when the server dies, its orphaned git still holds the lock, and nobody
//! sweeps away the ref locks under it.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use countersign_core::id::ResourceId;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

use crate::error::{GitError, Result};

/// How long a lock is waited for.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What the lock is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// One approval: shared with pushes and with other servers, one at a time in this process.
    Approval,
    /// A push: shared.
    Push,
    /// Sweep, prune, repack, create: nobody else is near the repository.
    Exclusive,
}

/// The lock, held until this is dropped and every child that inherited it has ended.
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
        self.file
            .try_clone()
            .map(OwnedFd::from)
            .map_err(GitError::disk("duplicate the lock of", self.id.to_string()))
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

fn open(path: &Path) -> Result<File> {
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
async fn locked(file: &File, wanted: FlockOperation, id: ResourceId) -> Result<()> {
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
