//! One connection, used on the caller's own thread: what the threads and the group commit are measured against.

use std::path::Path;
use std::sync::Mutex;

use rusqlite::Connection;

use super::file::{self, Access};
use super::job::run;
use super::statement;
use crate::db::Job;
use crate::error::{Error, Result};
use crate::tx::Tx;

/// A connection with the settings of production and none of its threads.
#[derive(Debug)]
pub struct Inline(Mutex<Connection>);

impl Inline {
    /// Opens a data file that a `Db` has made.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self(Mutex::new(file::open(path, Access::Write)?)))
    }

    /// Runs `work` here and now, without a transaction.
    pub fn read<T, E: From<Error>>(
        &self,
        work: impl for<'c> FnOnce(&'c Tx<'c>) -> Job<'c, T, E>,
    ) -> Result<T, E> {
        run(&Tx::sqlite(&self.0), work)
    }

    /// Runs `work` here and now, in a transaction and a commit of its own.
    pub fn write<T, E: From<Error>>(
        &self,
        work: impl for<'c> FnOnce(&'c Tx<'c>) -> Job<'c, T, E>,
    ) -> Result<T, E> {
        let sql = |sql: &str| statement::exec(&self.0, sql, &[]);
        sql("BEGIN IMMEDIATE")?;
        let done = run(&Tx::sqlite(&self.0), work);
        sql(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        done
    }
}
