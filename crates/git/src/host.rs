//! The folder of all repositories, and the door to each.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use countersign_core::id::ResourceId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::desk::PLACES;
use crate::error::{GitError, Result};
use crate::folder::make_private;
use crate::lock::{Hold, Locks, ObjectsLock, PATIENCE, PushLock, RepoLock};
use crate::process::{Git, GitCommand};
use crate::refs::Refs;
use crate::repo::Repo;
use crate::share::Shares;

/// How many requests may read or write objects at the same time.
const AT_ONCE: usize = 16;
/// How many may wait for that before more are turned away.
const QUEUE: usize = 256;
/// How many large files may be on their way to readers at the same time.
const STREAMS: usize = 16;

/// All repositories of one server. Cheap to clone.
#[derive(Clone, Debug)]
pub struct GitHost {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    root: PathBuf,
    push_hooks: PathBuf,
    git: Git,
    locks: Locks,
    slots: Arc<Semaphore>,
    queue: Semaphore,
    streams: Arc<Semaphore>,
    readers: Shares,
    downloads: Shares,
}

impl GitHost {
    /// Checks git, and makes the folder with mode 0700 where it is missing.
    ///
    /// `git` names the program where it is not the first one on the path.
    pub async fn open(root: &Path, git: Option<&Path>) -> Result<Self> {
        private_folder(root)?;
        let root = root.canonicalize().map_err(GitError::disk("resolve", root))?;
        let hooks = root.join("no-hooks");
        private_folder(&hooks)?;
        let git = Git::find(git, hooks).await?;
        let push_hooks = crate::receive::write_hooks(&root)?;
        let locks = Locks::new(root.clone());
        let inner = Inner {
            root,
            push_hooks,
            git,
            locks,
            slots: Arc::new(Semaphore::new(AT_ONCE)),
            queue: Semaphore::new(QUEUE),
            streams: Arc::new(Semaphore::new(STREAMS)),
            readers: Shares::new(PLACES),
            downloads: Shares::new(PLACES),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Where a repository lies. The name comes from its id alone, never from a client.
    pub fn path(&self, id: ResourceId) -> PathBuf {
        self.inner.root.join(format!("{id}.git"))
    }

    /// The folder of all repositories.
    pub fn root(&self) -> &Path {
        &self.inner.root
    }

    /// The folder of the hooks that run during a push.
    pub(crate) fn push_hooks(&self) -> &Path {
        &self.inner.push_hooks
    }

    /// The git that serves them.
    pub fn git(&self) -> &Git {
        &self.inner.git
    }

    /// Whether the repository is on disk and finished.
    pub fn exists(&self, id: ResourceId) -> bool {
        self.path(id).join("HEAD").is_file()
    }

    /// Takes the lock of the refs within ten seconds.
    pub async fn lock(&self, id: ResourceId, hold: Hold) -> Result<RepoLock> {
        self.lock_within(id, hold, PATIENCE).await
    }

    /// Takes the lock of the refs within `patience`.
    pub async fn lock_within(&self, id: ResourceId, hold: Hold, patience: Duration) -> Result<RepoLock> {
        self.inner.locks.take(id, hold, patience).await
    }

    /// Takes what a push holds from its beginning, within ten seconds.
    pub async fn lock_for_push(&self, id: ResourceId) -> Result<PushLock> {
        self.inner.locks.take_for_push(id, PATIENCE).await
    }

    /// Takes the objects alone within `patience`. Not while holding the refs: objects come first.
    pub async fn lock_objects(&self, id: ResourceId, patience: Duration) -> Result<ObjectsLock> {
        self.inner.locks.take_objects(id, patience).await
    }

    /// The locks of this process.
    pub(crate) fn locks(&self) -> &Locks {
        &self.inner.locks
    }

    /// A git that writes to the locked repository, and keeps its lock as long as it lives.
    pub fn write_command(&self, lock: &RepoLock, name: &'static str) -> Result<GitCommand<'_>> {
        Ok(self.git().command(&self.path(lock.repository()), name).holding(lock.share()?))
    }

    /// Opens the repository and works on it off the async threads, with a bound on how many do.
    ///
    /// It is opened for each request: that costs a quarter of a millisecond and leaves no cache
    /// that could be stale. The work goes on to its end when the caller hangs up.
    pub async fn with<T, F>(&self, id: ResourceId, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Repo) -> Result<T> + Send + 'static,
    {
        self.at(id, move |path| work(&Repo::open(id, path)?)).await
    }

    /// As [`Self::with`], for those who read refs and may do without the objects.
    pub async fn with_refs<T, F>(&self, id: ResourceId, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Refs<'_>) -> Result<T> + Send + 'static,
    {
        self.at(id, move |path| work(&Refs::at(id, path)?)).await
    }

    /// As [`Self::with_refs`], on the caller's thread: for a ref or two, which are a few system calls.
    pub fn glance<T>(&self, id: ResourceId, look: impl FnOnce(&Refs<'_>) -> Result<T>) -> Result<T> {
        look(&Refs::at(id, &self.path(id))?)
    }

    /// The places of people who read.
    pub(crate) fn readers(&self) -> &Shares {
        &self.inner.readers
    }

    /// The places of people to whom large files are on their way.
    pub(crate) fn downloads(&self) -> &Shares {
        &self.inner.downloads
    }

    /// A place for one more file on its way; it is given back when dropped.
    pub(crate) fn stream_place(&self) -> Result<OwnedSemaphorePermit> {
        Arc::clone(&self.inner.streams).try_acquire_owned().map_err(|_| GitError::Overloaded)
    }

    async fn at<T, F>(&self, id: ResourceId, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Path) -> Result<T> + Send + 'static,
    {
        let _place = self.inner.queue.try_acquire().map_err(|_| GitError::Overloaded)?;
        let slot = Arc::clone(&self.inner.slots).acquire_owned().await.map_err(|_| GitError::CutShort)?;
        let path = self.path(id);
        let task = tokio::task::spawn_blocking(move || {
            // The task gives the slot back, also when nobody waits for it any more.
            let _slot = slot;
            work(&path)
        });
        task.await.map_err(|e| {
            let what = "an object that was read".to_owned();
            if e.is_panic() { GitError::Damaged { what } } else { GitError::CutShort }
        })?
    }
}

/// Whether a repository below `root` opens; nothing is made or changed.
pub fn look(root: &Path, id: ResourceId) -> Result<()> {
    Repo::open(id, &root.join(format!("{id}.git"))).map(drop)
}

pub(crate) fn private_folder(path: &Path) -> Result<()> {
    make_private(path).map_err(GitError::disk("make the folder", path))?;
    std::fs::set_permissions(path, Permissions::from_mode(0o700))
        .map_err(GitError::disk("make private", path))
}
