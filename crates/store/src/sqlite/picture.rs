//! A data file read beside the server that has it open: one picture of it, and its rows one by one.

use std::path::Path;
use std::sync::Mutex;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::mpsc;

use super::PATIENCE;
use super::statement::lock;
use crate::cell::{Cell, Kind};
use crate::error::{Error, Result};

/// Opens the file for reading and holds on to what is committed now: in the write-ahead log a reader keeps nobody from
/// writing.
pub(crate) fn snapshot(path: &Path) -> Result<Connection> {
    super::file::check_version()?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    // A deferred transaction sees what is committed at its first read.
    connection.execute_batch("BEGIN")?;
    let _: i64 = connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(connection)
}

/// Sends every row of `sql`, or the error that ended it. Who listens no longer ends it too.
pub(crate) fn stream(
    connection: &Mutex<Connection>,
    (sql, kinds): (&str, &[Kind]),
    to: &mpsc::Sender<Result<Vec<Cell>>>,
) {
    if let Err(error) = send(&lock(connection), (sql, kinds), to) {
        let _ = to.blocking_send(Err(error));
    }
}

fn send(
    connection: &Connection,
    (sql, kinds): (&str, &[Kind]),
    to: &mpsc::Sender<Result<Vec<Cell>>>,
) -> Result<()> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let cells = kinds.iter().enumerate().map(|(at, kind)| cell(row.get_ref(at)?, *kind));
        if to.blocking_send(Ok(cells.collect::<Result<_>>()?)).is_err() {
            break;
        }
    }
    Ok(())
}

fn cell(value: ValueRef<'_>, kind: Kind) -> Result<Cell> {
    let unfit = || Error::Sql(format!("a value is no {}", kind.as_str()));
    Ok(match value {
        ValueRef::Null => Cell::Null(kind),
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8(text.to_vec()).map_err(|_| unfit())?),
        ValueRef::Blob(bytes) => Cell::Blob(bytes.to_vec()),
        ValueRef::Real(_) => return Err(unfit()),
    })
}
