//! Places for gits: so many at once, so many of them for one person, and so many requests that wait for one.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use countersign_core::caller::Caller;
use countersign_git::share::Shares;
use http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::answer;
use crate::limits::{Limits, Seats};

/// Places of one kind.
#[derive(Clone)]
pub(crate) struct Places {
    slots: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    shares: Arc<Shares>,
    seats: Seats,
    patience: Duration,
}

/// A place for one git, until it is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    _place: OwnedSemaphorePermit,
    _share: Option<OwnedSemaphorePermit>,
}

impl Places {
    pub(crate) fn new(seats: Seats, limits: Limits) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(seats.at_once)),
            queue: Arc::new(Semaphore::new(limits.waiting)),
            shares: Arc::new(Shares::new(seats.each)),
            seats,
            patience: limits.patience,
        }
    }

    /// A place for one git of this caller, or the answer that turns the client away before any byte of the other one.
    pub(crate) async fn slot(&self, caller: &Caller) -> Result<Slot, Response> {
        let own = caller.person().map(|person| self.shares.of(person));
        let told = |said| answer::later(StatusCode::SERVICE_UNAVAILABLE, said, 5);
        let waiting = || told(self.seats.busy);
        // Their own share first: who waits for that keeps no place from anybody else.
        let share = match own {
            None => None,
            Some(share) => Some(self.wait(share, waiting, || told(self.seats.mine)).await?),
        };
        let place = self.wait(Arc::clone(&self.slots), waiting, waiting).await?;
        Ok(Slot { _place: place, _share: share })
    }

    async fn wait(
        &self,
        of: Arc<Semaphore>,
        full: impl Fn() -> Response,
        late: impl Fn() -> Response,
    ) -> Result<OwnedSemaphorePermit, Response> {
        if let Ok(slot) = Arc::clone(&of).try_acquire_owned() {
            return Ok(slot);
        }
        let _place = self.queue.try_acquire().map_err(|_| full())?;
        let slot = tokio::time::timeout(self.patience, of.acquire_owned()).await;
        slot.map_err(|_| late())?.map_err(|_| late())
    }
}
