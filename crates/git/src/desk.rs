//! The repositories as one person reads them: with a few places of their own among those of all.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::{ResourceId, UserId};
use tokio::sync::OwnedSemaphorePermit;

use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::raw::Streamed;
use crate::repo::Repo;
use crate::share::Shares;

/// How many requests of one person may read at the same time, and how many large files may be on their way to them.
pub const PLACES: usize = 4;
/// How long a request waits for a place of its own person.
const PATIENCE: Duration = Duration::from_secs(5);

/// One person's way to the repositories. Whoever reads much waits for themselves, and nobody else for them.
#[derive(Clone, Debug)]
pub struct Desk {
    host: GitHost,
    who: UserId,
}

impl GitHost {
    /// The repositories for what a person reads.
    pub fn desk(&self, who: UserId) -> Desk {
        Desk { host: self.clone(), who }
    }
}

impl Desk {
    /// As [`GitHost::within`], in a place of this person. The place is taken until the work has ended, also when the
    /// caller hangs up.
    pub async fn within<T, F>(&self, id: ResourceId, time: Duration, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Repo, &AtomicBool) -> Result<T> + Send + 'static,
    {
        let place = self.place(self.host.readers()).await?;
        let work = move |repo: &Repo, stop: &AtomicBool| {
            let _place = place;
            work(repo, stop)
        };
        self.host.within(id, time, work).await
    }

    /// Streams a file that was found in the repository before, in one of this person's places for large files.
    pub async fn stream(&self, id: ResourceId, oid: Oid) -> Result<Streamed> {
        let place = self.place(self.host.downloads()).await?;
        self.host.stream(id, oid, place)
    }

    /// One of this person's places, within some seconds. It is given back when dropped.
    async fn place(&self, shares: &Shares) -> Result<OwnedSemaphorePermit> {
        let taken = tokio::time::timeout(PATIENCE, shares.of(self.who).acquire_owned()).await;
        taken.map_err(|_| GitError::Overloaded)?.map_err(|_| GitError::CutShort)
    }
}
