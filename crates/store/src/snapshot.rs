//! One picture of the whole store, beside the servers that go on writing: read row by row, never migrated.

use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use deadpool_postgres as pool;
use futures_util::TryStreamExt as _;
use tokio::sync::mpsc;
use tokio_postgres::RowStream;

use crate::cell::{Cell, Kind};
use crate::error::{Error, Result};
use crate::postgres::Session;
use crate::table::{self, Table};
use crate::tx::Tx;
use crate::{migrate, postgres, sqlite};

/// How many rows of SQLite may wait for their reader.
const AHEAD: usize = 16;

/// What every read of one snapshot sees: the store as it was when it was opened.
#[derive(Debug)]
pub struct Snapshot(Engine);

#[derive(Debug)]
enum Engine {
    Sqlite(Arc<Mutex<rusqlite::Connection>>),
    Postgres(pool::Client),
}

impl Snapshot {
    /// Opens `sqlite:PATH` or `postgres://…` for reading; `None` where there is no data file. A store whose schema is not
    /// exactly that of this program is refused.
    pub async fn open(url: &str) -> Result<Option<Self>> {
        let engine = if let Some(path) = url.strip_prefix("sqlite:") {
            if !Path::new(path).exists() {
                return Ok(None);
            }
            Engine::Sqlite(Arc::new(Mutex::new(sqlite::snapshot(path.as_ref())?)))
        } else {
            Engine::Postgres(postgres::snapshot(url).await?)
        };
        let snapshot = Self(engine);
        migrate::is_present(&snapshot.tx()).await?;
        Ok(Some(snapshot))
    }

    /// A transaction in which nothing can be written.
    pub fn tx(&self) -> Tx<'_> {
        match &self.0 {
            Engine::Sqlite(connection) => Tx::sqlite(connection),
            Engine::Postgres(client) => Tx::postgres(Session::Read(client)),
        }
    }

    /// Which engine it is, in a word.
    pub fn engine(&self) -> &'static str {
        self.tx().pick("sqlite", "postgres")
    }

    /// Every table, parents first.
    pub async fn tables(&self) -> Result<Vec<Table>> {
        table::all(&self.tx()).await
    }

    /// Every row of a table, in the order of its key. Read it to its end before the next read.
    pub async fn rows(&self, table: &Table) -> Result<Rows> {
        let kinds: Vec<Kind> = table.columns.iter().map(|column| column.kind).collect();
        let sql = table.select();
        Ok(match &self.0 {
            Engine::Sqlite(connection) => {
                let (to, rows) = mpsc::channel(AHEAD);
                let connection = Arc::clone(connection);
                tokio::task::spawn_blocking(move || sqlite::stream(&connection, (&sql, &kinds), &to));
                Rows(Source::Sqlite(rows))
            }
            Engine::Postgres(client) => {
                let none: [&str; 0] = [];
                Rows(Source::Postgres(Box::pin(client.query_raw(sql.as_str(), none).await?), kinds))
            }
        })
    }
}

/// Rows on their way.
pub struct Rows(Source);

enum Source {
    Sqlite(mpsc::Receiver<Result<Vec<Cell>>>),
    Postgres(Pin<Box<RowStream>>, Vec<Kind>),
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").finish_non_exhaustive()
    }
}

impl Rows {
    /// The next row; `None` behind the last one.
    pub async fn next(&mut self) -> Result<Option<Vec<Cell>>> {
        match &mut self.0 {
            Source::Sqlite(rows) => rows.recv().await.transpose(),
            Source::Postgres(rows, kinds) => match rows.try_next().await? {
                None => Ok(None),
                Some(row) => cells(&row, kinds).map(Some),
            },
        }
    }
}

fn cells(row: &tokio_postgres::Row, kinds: &[Kind]) -> Result<Vec<Cell>> {
    let cell = |(at, kind): (usize, &Kind)| {
        let found = match kind {
            Kind::Integer => row.try_get::<_, Option<i64>>(at)?.map(Cell::Integer),
            Kind::Text => row.try_get::<_, Option<String>>(at)?.map(Cell::Text),
            Kind::Blob => row.try_get::<_, Option<Vec<u8>>>(at)?.map(Cell::Blob),
        };
        Ok::<_, Error>(found.unwrap_or(Cell::Null(*kind)))
    };
    kinds.iter().enumerate().map(cell).collect()
}
