//! What the handlers share: the application, the limits, and the places that are left.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

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
    /// Places for gits that read.
    pub(crate) reading: Places,
    /// Places for gits that take a push: neither kind keeps the other out.
    pub(crate) writing: Places,
    /// The program that the hooks of a push start.
    pub(crate) program: Arc<Path>,
}

/// So many gits at once, and so many requests that wait for that.
#[derive(Clone)]
pub(crate) struct Places {
    slots: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    patience: Duration,
    busy: &'static str,
}

impl State {
    pub(crate) fn new(app: &App, limits: Limits, program: &Path) -> Self {
        let places = |at_once, busy| Places {
            slots: Arc::new(Semaphore::new(at_once)),
            queue: Arc::new(Semaphore::new(limits.waiting)),
            patience: limits.patience,
            busy,
        };
        Self {
            app: app.clone(),
            limits,
            reading: places(
                limits.at_once,
                "Too many clones and fetches are under way. Try again in a few seconds.",
            ),
            writing: places(
                limits.pushes_at_once,
                "Too many pushes are under way. Try again in a few seconds.",
            ),
            program: PathBuf::from(program).into(),
        }
    }
}

impl Places {
    /// A place for one git, or the answer that turns the client away before any byte of the other one.
    pub(crate) async fn slot(&self) -> Result<OwnedSemaphorePermit, Response> {
        if let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() {
            return Ok(slot);
        }
        let busy = || answer::later(StatusCode::SERVICE_UNAVAILABLE, self.busy, 5);
        let _place = self.queue.try_acquire().map_err(|_| busy())?;
        let slot = tokio::time::timeout(self.patience, Arc::clone(&self.slots).acquire_owned()).await;
        slot.map_err(|_| busy())?.map_err(|_| busy())
    }
}
