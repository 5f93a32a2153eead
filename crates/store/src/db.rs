//! The door of the store: `Db::open`, `read`, `glance`, `write`, `close`.

use std::pin::Pin;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::postgres::Postgres;
use crate::sqlite::Sqlite;
use crate::tx::Tx;
use crate::wake::{Listener, Wakes};

/// The future of a job: `Box::pin(async move { … })`. It may await the verbs of its transaction and nothing else.
pub type Job<'c, T, E = Error> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'c>>;

/// The database. Cheap to clone; all clones are the same one.
#[derive(Clone, Debug)]
pub struct Db {
    engine: Arc<Engine>,
    wakes: Wakes,
}

#[derive(Debug)]
enum Engine {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Db {
    /// Opens `sqlite:PATH` or `postgres://…` and brings its schema up to date.
    pub async fn open(url: &str) -> Result<Self> {
        let wakes = Wakes::new();
        let engine = if let Some(path) = url.strip_prefix("sqlite:") {
            Engine::Sqlite(Sqlite::open(path.as_ref(), wakes.clone()).await?)
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Engine::Postgres(Postgres::open(url, wakes.clone()).await?)
        } else {
            return Err(Error::Setup(
                "the database address must be sqlite:PATH or postgres://user@host/name".to_owned(),
            ));
        };
        Ok(Self { engine: Arc::new(engine), wakes })
    }

    /// Runs `work` in one transaction. It is committed when `work` answers `Ok` and the engine refused no
    /// statement; the answer comes after the commit. It runs to its end even when the caller goes away.
    pub async fn write<T, E>(
        &self,
        work: impl for<'c> FnOnce(&'c Tx<'c>) -> Job<'c, T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &*self.engine {
            Engine::Sqlite(sqlite) => sqlite.write(work).await,
            Engine::Postgres(postgres) => postgres.write(work).await,
        }
    }

    /// Runs `work` without a transaction, for reading alone. Each statement sees what is committed when it starts.
    pub async fn read<T, E>(
        &self,
        work: impl for<'c> FnOnce(&'c Tx<'c>) -> Job<'c, T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &*self.engine {
            Engine::Sqlite(sqlite) => sqlite.read(work).await,
            Engine::Postgres(postgres) => postgres.read(work).await,
        }
    }

    /// Runs `work` as [`Db::read`] does, without handing it over to another thread where the engine is in this
    /// process: for a few rows that are found by their keys. What may take longer than some ten microseconds goes
    /// through `read`, for it would hold up everything else on the caller's thread.
    pub async fn glance<T, E>(
        &self,
        work: impl for<'c> FnOnce(&'c Tx<'c>) -> Job<'c, T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &*self.engine {
            Engine::Sqlite(sqlite) => sqlite.glance(work).await,
            Engine::Postgres(postgres) => postgres.read(work).await,
        }
    }

    /// Hears the wake-ups of every commit from now on.
    pub fn listen(&self) -> Listener {
        self.wakes.listen()
    }

    /// Finishes what was begun and closes the database; whatever is asked later is `Unavailable`.
    pub async fn close(&self) {
        match &*self.engine {
            Engine::Sqlite(sqlite) => sqlite.close().await,
            Engine::Postgres(postgres) => postgres.close().await,
        }
    }
}
