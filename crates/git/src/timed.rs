//! Work on a repository that ends with what it has when its time is over or nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use countersign_core::id::ResourceId;

use crate::error::Result;
use crate::host::GitHost;
use crate::repo::Repo;

/// Raises the flag, when dropped.
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl GitHost {
    /// As [`Self::with`], for work that looks at a flag now and then. The flag goes up when `time` is over and
    /// when the caller hangs up; the work then answers what it has.
    pub async fn within<T, F>(&self, id: ResourceId, time: Duration, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Repo, &AtomicBool) -> Result<T> + Send + 'static,
    {
        let stop = Stop(Arc::default());
        let seen = Arc::clone(&stop.0);
        let mut work = std::pin::pin!(self.with(id, move |repo| work(repo, &seen)));
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(time) => {}
        }
        drop(stop);
        work.await
    }
}
