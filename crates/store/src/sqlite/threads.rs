//! Threads that own a connection each, and can be waited for.

use std::sync::Mutex;
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::Mutex as AsyncMutex;

use crate::error::{Error, Result};

/// Running threads.
#[derive(Debug, Default)]
pub(super) struct Threads {
    running: AsyncMutex<Vec<JoinHandle<()>>>,
}

impl Threads {
    /// Adds a thread that serves with `connection` until `serve` returns.
    pub(super) fn start(
        &mut self,
        name: &str,
        connection: Connection,
        serve: impl FnOnce(Mutex<Connection>) + Send + 'static,
    ) -> Result<()> {
        let handle = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || serve(Mutex::new(connection)))
            .map_err(|error| Error::Unavailable(format!("cannot start the thread {name}: {error}")))?;
        self.running.get_mut().push(handle);
        Ok(())
    }

    /// Waits for all of them; who comes second waits as well.
    pub(super) async fn ended(&self) {
        let mut running = self.running.lock().await;
        let handles = std::mem::take(&mut *running);
        let joined = tokio::task::spawn_blocking(move || handles.into_iter().try_for_each(JoinHandle::join));
        if !matches!(joined.await, Ok(Ok(()))) {
            tracing::error!("a database thread panicked");
        }
    }
}
