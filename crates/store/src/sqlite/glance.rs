//! Connections for reads on the caller's own thread, where handing over to a reader would cost more than the read.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

/// Connections that nobody reads on at the moment.
#[derive(Debug)]
pub(super) struct Glances(Mutex<Option<Vec<Mutex<Connection>>>>);

impl Glances {
    pub(super) fn new(connections: Vec<Connection>) -> Self {
        Self(Mutex::new(Some(connections.into_iter().map(Mutex::new).collect())))
    }

    /// Reads on a free connection; gives `work` back when there is none.
    pub(super) fn with<W, T>(&self, work: W, run: impl FnOnce(&Mutex<Connection>, W) -> T) -> Result<T, W> {
        let Some(connection) = self.lock().as_mut().and_then(Vec::pop) else { return Err(work) };
        let done = run(&connection, work);
        if let Some(free) = self.lock().as_mut() {
            free.push(connection);
        }
        Ok(done)
    }

    /// Closes those that are free; the others are closed when they are given back.
    pub(super) fn close(&self) {
        self.lock().take();
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<Mutex<Connection>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
