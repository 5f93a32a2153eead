//! Whether the server can do its work: its store takes writes.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_store::pulse;

use crate::App;

/// How long a verdict holds. Anybody may ask, and asking must not be a way to keep the disk busy.
const HOLDS_MS: i64 = 3_000;
/// How long a write may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// The last verdict, in memory. Before the first one the server counts as ready: its start wrote to the store.
#[derive(Debug, Default)]
pub struct Readiness {
    last: Mutex<Last>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Last {
    begun: Option<Timestamp>,
    failed: bool,
}

impl Readiness {
    /// The verdict that still holds; without one the caller is the one who looks, and tells.
    fn held(&self, now: Timestamp) -> Option<Last> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let age = last.begun.map(|begun| now.millis() - begun.millis());
        // A clock that was set back lets a verdict hold no longer than it would have.
        if age.is_some_and(|age| (0..HOLDS_MS).contains(&age)) {
            return Some(*last);
        }
        last.begun = Some(now);
        None
    }

    fn tell(&self, failed: bool) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).failed = failed;
    }
}

/// Writes one row to the store, at most once in three seconds however often it is asked; in between, the last verdict
/// stands. The refusal is [`Code::StoreUnavailable`].
pub async fn check(app: &App) -> Result<(), Problem> {
    let now = app.now();
    let unready = || Problem::new(Code::StoreUnavailable, "The database takes no writes.");
    if let Some(last) = app.readiness.held(now) {
        return if last.failed { Err(unready()) } else { Ok(()) };
    }
    let beat = app.db.write(move |t| Box::pin(pulse::beat(t, now)));
    let verdict = match tokio::time::timeout(PATIENCE, beat).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(unready().because(error)),
        Err(late) => Err(unready().because(late)),
    };
    app.readiness.tell(verdict.is_err());
    verdict
}
