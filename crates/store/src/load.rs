//! An empty database that a restore fills: all rows in one transaction, or none.

use std::path::{Path, PathBuf};

use crate::cell::Cell;
use crate::db::Db;
use crate::error::{Error, Result};
use crate::param::Param;
use crate::table::Table;
use crate::tx::Tx;
use crate::{migrate, postgres};

/// How many rows go into one statement at most, and about how many bytes.
const ROWS: usize = 100;
const BYTES: usize = 1 << 20;

/// What stands in the way of filling the database at this address; `None` where it is empty, or not made yet.
pub async fn obstacle(url: &str) -> Result<Option<String>> {
    if let Some(path) = url.strip_prefix("sqlite:") {
        let there = std::fs::symlink_metadata(path).is_ok();
        return Ok(there.then(|| format!("there is a file {path}")));
    }
    let client = postgres::alone(url).await?;
    let t = Tx::postgres(postgres::Session::Read(&client));
    for table in migrate::tables() {
        let made = t.any("SELECT 1 WHERE to_regclass($1) IS NOT NULL", &[&table]).await?;
        if made && t.any(&format!("SELECT 1 FROM {table} LIMIT 1"), &[]).await? {
            return Ok(Some(format!("the table {table} of the database has rows")));
        }
    }
    Ok(None)
}

/// A database that is being filled. On SQLite it stands beside its place until it is published, so that no half of it is
/// ever there.
#[derive(Debug)]
pub struct Filling {
    /// What is filled.
    pub db: Db,
    places: Option<(PathBuf, PathBuf)>,
}

impl Filling {
    /// Makes the tables. What a killed one left beside the place goes first.
    pub async fn open(url: &str) -> Result<Self> {
        let Some(path) = url.strip_prefix("sqlite:") else {
            return Ok(Self { db: Db::open(url).await?, places: None });
        };
        let (place, beside) = (PathBuf::from(path), with_end(Path::new(path), ".restoring"));
        remove(&beside)?;
        let db = Db::open(&format!("sqlite:{}", beside.display())).await?;
        Ok(Self { db, places: Some((beside, place)) })
    }

    /// Closes the database and puts it in its place, unless another one is there meanwhile.
    pub async fn publish(self) -> Result<()> {
        self.db.close().await;
        let Some((beside, place)) = self.places else { return Ok(()) };
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
        let linked = std::fs::hard_link(&beside, &place).and_then(|()| {
            remove_files(&beside)?;
            std::fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
        });
        linked.map_err(|error| {
            Error::Setup(format!("the data file cannot be put to {}: {error}", place.display()))
        })
    }
}

fn remove(beside: &Path) -> Result<()> {
    remove_files(beside).map_err(|error| {
        Error::Setup(format!("{} cannot be removed: {error}; remove it by hand", beside.display()))
    })
}

/// The file with what SQLite and the lock of a server put beside it.
fn remove_files(file: &Path) -> std::io::Result<()> {
    for end in ["", "-wal", "-shm", ".lock"] {
        match std::fs::remove_file(with_end(file, end)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Inserts every row, and tells how many there were.
pub async fn fill<E: From<Error>>(
    t: &Tx<'_>,
    table: &Table,
    rows: impl Iterator<Item = Result<Vec<Cell>, E>>,
) -> Result<u64, E> {
    let (mut waiting, mut bytes, mut done) = (Vec::new(), 0, 0);
    for row in rows {
        let row = row?;
        bytes += row.iter().map(Cell::size).sum::<usize>();
        waiting.push(row);
        if waiting.len() == ROWS || bytes >= BYTES {
            done += insert(t, table, &waiting).await?;
            waiting.clear();
            bytes = 0;
        }
    }
    Ok(done + insert(t, table, &waiting).await?)
}

async fn insert(t: &Tx<'_>, table: &Table, rows: &[Vec<Cell>]) -> Result<u64> {
    if rows.is_empty() {
        return Ok(0);
    }
    let width = table.columns.len();
    if rows.iter().any(|row| row.len() != width) {
        return Err(Error::Sql(format!("a row of {} has not {width} values", table.name)));
    }
    let marks = |row: usize| {
        let marks: Vec<_> = (1..=width).map(|at| format!("${}", row * width + at)).collect();
        format!("({})", marks.join(", "))
    };
    let marks: Vec<_> = (0..rows.len()).map(marks).collect();
    let sql = format!("INSERT INTO {} ({}) VALUES {}", table.name, table.names(), marks.join(", "));
    let args: Vec<&dyn Param> = rows.iter().flatten().map(|cell| cell as &dyn Param).collect();
    t.exec(&sql, &args).await
}
