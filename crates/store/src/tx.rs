//! A transaction or a reading connection of either engine: four verbs, and `pick` for what must differ.

use std::borrow::Cow;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::error::{Error, Result};
use crate::param::Args;
use crate::postgres::Session;
use crate::row::{FromRow, Row};
use crate::sqlite::statement;
use crate::wake::Wake;

/// Runs statements. The first one that the engine refuses ends the transaction: every later verb, and the
/// commit, answer the same error. (PostgreSQL does so by itself, but would answer such a COMMIT with success;
/// SQLite would go on with the rest.)
#[derive(Debug)]
pub struct Tx<'c> {
    engine: Engine<'c>,
    failed: OnceLock<Error>,
    wakes: Mutex<Vec<Wake>>,
}

#[derive(Debug)]
enum Engine<'c> {
    Sqlite(&'c Mutex<rusqlite::Connection>),
    Postgres(Session<'c>),
}

impl<'c> Tx<'c> {
    pub(crate) fn sqlite(connection: &'c Mutex<rusqlite::Connection>) -> Self {
        Self::on(Engine::Sqlite(connection))
    }

    pub(crate) fn postgres(session: Session<'c>) -> Self {
        Self::on(Engine::Postgres(session))
    }

    fn on(engine: Engine<'c>) -> Self {
        Self { engine, failed: OnceLock::new(), wakes: Mutex::default() }
    }

    /// Runs a statement and tells how many rows it changed.
    pub async fn exec(&self, sql: &str, args: Args<'_>) -> Result<u64> {
        self.usable()?;
        let done = match &self.engine {
            Engine::Sqlite(connection) => statement::exec(connection, sql, args),
            Engine::Postgres(session) => session.exec(sql, args).await,
        };
        self.note(done)
    }

    /// Every row. A record's columns may be written as `{cols}`.
    pub async fn all<T: FromRow>(&self, sql: &str, args: Args<'_>) -> Result<Vec<T>> {
        self.usable()?;
        let sql = with_columns::<T>(sql);
        let rows = match &self.engine {
            Engine::Sqlite(connection) => statement::all(connection, &sql, args),
            Engine::Postgres(session) => session.all(&sql, args).await,
        };
        self.note(rows)
    }

    /// The first row, if there is one.
    pub async fn opt<T: FromRow>(&self, sql: &str, args: Args<'_>) -> Result<Option<T>> {
        Ok(self.all(sql, args).await?.into_iter().next())
    }

    /// The first row; [`Error::NotFound`] when there is none.
    pub async fn one<T: FromRow>(&self, sql: &str, args: Args<'_>) -> Result<T> {
        self.opt(sql, args).await?.ok_or(Error::NotFound)
    }

    /// Is there a row at all? The statement may select anything.
    pub async fn any(&self, sql: &str, args: Args<'_>) -> Result<bool> {
        Ok(self.opt::<Nothing>(sql, args).await?.is_some())
    }

    /// The one place where a statement may differ between the engines.
    pub fn pick<T>(&self, sqlite: T, postgres: T) -> T {
        match self.engine {
            Engine::Sqlite(_) => sqlite,
            Engine::Postgres(_) => postgres,
        }
    }

    /// Wakes those who listen, once the transaction is committed; not at all when it is not.
    pub fn wake(&self, wake: Wake) {
        let mut wakes = self.wakes.lock().unwrap_or_else(PoisonError::into_inner);
        if !wakes.contains(&wake) {
            wakes.push(wake);
        }
    }

    pub(crate) fn take_wakes(&self) -> Vec<Wake> {
        std::mem::take(&mut *self.wakes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The first error of the engine, if any: what was refused must not be committed.
    pub(crate) fn usable(&self) -> Result<()> {
        self.failed.get().map_or(Ok(()), |error| Err(error.clone()))
    }

    fn note<T>(&self, result: Result<T>) -> Result<T> {
        result.inspect_err(|error| {
            let _ = self.failed.set(error.clone());
        })
    }
}

/// A row of which nothing is read.
struct Nothing;

impl FromRow for Nothing {
    const COLS: &'static str = "";
    fn from_row(_: &mut Row<'_>) -> Result<Self> {
        Ok(Self)
    }
}

fn with_columns<T: FromRow>(sql: &str) -> Cow<'_, str> {
    if sql.contains("{cols}") { sql.replace("{cols}", T::COLS).into() } else { sql.into() }
}
