//! What the handlers share: the application, the limits, and the places that are left.

use std::sync::Arc;

use axum::response::Response;
use countersign_app::App;
use http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::answer;
use crate::limits::Limits;

/// Shared by all requests.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) app: App,
    pub(crate) limits: Limits,
    slots: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

impl State {
    pub(crate) fn new(app: &App, limits: Limits) -> Self {
        Self {
            app: app.clone(),
            limits,
            slots: Arc::new(Semaphore::new(limits.at_once)),
            queue: Arc::new(Semaphore::new(limits.waiting)),
        }
    }

    /// A place for one git, or the answer that turns the client away before any byte of the other one.
    pub(crate) async fn slot(&self) -> Result<OwnedSemaphorePermit, Response> {
        if let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() {
            return Ok(slot);
        }
        let _place = self.queue.try_acquire().map_err(|_| busy())?;
        let slot = tokio::time::timeout(self.limits.patience, Arc::clone(&self.slots).acquire_owned()).await;
        slot.map_err(|_| busy())?.map_err(|_| busy())
    }
}

fn busy() -> Response {
    let said = "Too many clones and fetches are under way. Try again in a few seconds.";
    answer::later(StatusCode::SERVICE_UNAVAILABLE, said, 5)
}
