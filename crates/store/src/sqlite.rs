//! SQLite: one writer thread with group commit, four reader threads, short reads in place, one server to a file.

mod file;
mod glance;
#[cfg(feature = "testing")]
mod inline;
mod job;
mod picture;
mod reader;
pub(crate) mod statement;
mod threads;
mod writer;

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::error::{Error, Result};
use crate::migrate;
use crate::tx::Tx;
use crate::wake::Wakes;
#[cfg(feature = "testing")]
pub use inline::Inline;
use job::run;
pub(crate) use picture::{snapshot, stream};

/// How many jobs may wait in front of the writer, and of the readers.
const QUEUE: usize = 1024;
/// How long a job may wait for a place in the queue.
const PATIENCE: Duration = Duration::from_secs(5);
const READERS: usize = 4;
/// How many short reads may run at once on their callers' threads; more go to the readers.
const GLANCES: usize = 4;

/// Reads what [`crate::look::READY`] asks for, without the lock of a server.
pub(crate) fn look(path: &Path) -> Result<Vec<String>> {
    use rusqlite::OpenFlags;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = rusqlite::Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    let mut asked = connection.prepare(crate::look::READY)?;
    Ok(asked.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// An open data file.
#[derive(Debug)]
pub(crate) struct Sqlite {
    writer: writer::Writer,
    readers: reader::Readers,
    glances: glance::Glances,
}

impl Sqlite {
    /// Locks, opens and migrates the file, and starts its threads.
    pub(crate) async fn open(path: &Path, wakes: Wakes) -> Result<Self> {
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || Self::start(&path, wakes))
            .await
            .map_err(|error| Error::Panicked(error.to_string()))?
    }

    fn start(path: &Path, wakes: Wakes) -> Result<Self> {
        file::check_version()?;
        let path = &file::place(path)?;
        let lock = file::lock(path)?;
        // The writer comes first: it switches the file to the write-ahead log.
        let mut connection = file::open(path, file::Access::Write)?;
        migrate::sqlite(&mut connection, migrate::MIGRATIONS)?;
        let reading = |count| (0..count).map(|_| file::open(path, file::Access::Read)).collect();
        let (readers, glances): (Result<Vec<_>>, Result<Vec<_>>) = (reading(READERS), reading(GLANCES));
        Ok(Self {
            writer: writer::Writer::start(connection, lock, wakes)?,
            readers: reader::Readers::start(readers?)?,
            glances: glance::Glances::new(glances?),
        })
    }

    /// Runs `work` in one transaction of the writer; the answer comes after its commit.
    pub(crate) async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: for<'c> FnOnce(&'c Tx<'c>) -> crate::Job<'c, T, E> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        self.writer.send(writer::job(work, answer)).await?;
        answered.await.unwrap_or_else(|_| Err(closed().into()))
    }

    /// Runs `work` on a reader; each statement sees what is committed when it starts.
    pub(crate) async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: for<'c> FnOnce(&'c Tx<'c>) -> crate::Job<'c, T, E> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let job: reader::ReadJob = Box::new(move |connection| {
            let _ = answer.send(run(&Tx::sqlite(connection), work));
        });
        self.readers.send(job).await?;
        answered.await.unwrap_or_else(|_| Err(closed().into()))
    }

    /// Runs `work` on the caller's own thread, or on a reader when too many do so at the moment.
    pub(crate) async fn glance<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: for<'c> FnOnce(&'c Tx<'c>) -> crate::Job<'c, T, E> + Send + 'static,
    {
        match self.glances.with(work, |connection, work| run(&Tx::sqlite(connection), work)) {
            Ok(result) => result,
            Err(work) => self.read(work).await,
        }
    }

    /// Finishes what is queued and closes the file.
    pub(crate) async fn close(&self) {
        self.glances.close();
        self.readers.close().await;
        self.writer.close().await;
    }
}

fn closed() -> Error {
    Error::Unavailable("the store is closed".to_owned())
}

/// `PATH` with `suffix` behind its name.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
