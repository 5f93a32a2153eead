//! One statement on a SQLite connection.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, params_from_iter};

use crate::error::Result;
use crate::param::Args;
use crate::row::{FromRow, Row};

pub(crate) fn exec(connection: &Mutex<Connection>, sql: &str, args: Args<'_>) -> Result<u64> {
    let connection = lock(connection);
    let mut statement = connection.prepare_cached(&numbered(sql))?;
    Ok(statement.execute(params_from_iter(args.iter().map(|arg| arg.sqlite())))? as u64)
}

/// Always reads to the end: what fails late must not be taken for an answer.
pub(crate) fn all<T: FromRow>(connection: &Mutex<Connection>, sql: &str, args: Args<'_>) -> Result<Vec<T>> {
    let connection = lock(connection);
    let mut statement = connection.prepare_cached(&numbered(sql))?;
    let mut rows = statement.query(params_from_iter(args.iter().map(|arg| arg.sqlite())))?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(T::from_row(&mut Row::sqlite(row))?);
    }
    Ok(all)
}

/// A job that panicked is rolled back by the one who ran it; the connection itself is sound.
pub(super) fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

/// SQLite numbers `$1` by first appearance, `?1` by its number.
fn numbered(sql: &str) -> Cow<'_, str> {
    if sql.contains('$') { sql.replace('$', "?").into() } else { sql.into() }
}
