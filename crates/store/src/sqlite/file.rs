//! The data file: made private, locked for one server, opened with the measured settings.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::beside;
use crate::error::{Error, Result};

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Write,
    Read,
}

/// Before this version two connections could damage the file (sqlite.org/wal.html#walresetbug).
const OLDEST: i32 = 3_051_003;

/// Set on every connection; docs/decisions/01-store.md says why.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 10000;
    PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;
    PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 67108864;";

/// More distinct statements than the whole store has.
const STATEMENTS: usize = 512;

/// How often a lock that another holds is tried again, and the pause before each: two seconds in all.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(20);

pub(super) fn check_version() -> Result<()> {
    if rusqlite::version_number() < OLDEST {
        return Err(Error::Setup(format!(
            "this program carries SQLite {}, which can lose commits; build it with 3.51.3 or newer",
            rusqlite::version()
        )));
    }
    Ok(())
}

/// Takes `PATH.lock` for as long as the returned file lives; a second server on the same file is refused.
///
/// It is waited for a moment: a server that was killed while it started a git leaves its lock to that child until the
/// child has become git.
pub(super) fn lock(path: &Path) -> Result<File> {
    let name = beside(path, ".lock");
    let refuse = |error: &dyn std::fmt::Display| {
        Error::Setup(format!("cannot lock {}: {error}; its folder must be writable", name.display()))
    };
    let mut file = private().open(&name).map_err(|e| refuse(&e))?;
    let mut tried = file.try_lock();
    for _ in 0..TRIES {
        if !matches!(tried, Err(TryLockError::WouldBlock)) {
            break;
        }
        std::thread::sleep(PAUSE);
        tried = file.try_lock();
    }
    match tried {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let _ = file.read_to_string(&mut holder);
            return Err(Error::Setup(format!(
                "another server (process {}) has {} open; stop it, or give both servers one PostgreSQL",
                holder.trim(),
                path.display()
            )));
        }
        Err(TryLockError::Error(error)) => return Err(refuse(&error)),
    }
    // Only for the sentence above: the lock is the kernel's and ends with the process.
    file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id())).map_err(|e| refuse(&e))?;
    Ok(file)
}

/// Makes the file if there is none, readable by nobody else, and gives its one name behind all links.
pub(super) fn place(path: &Path) -> Result<PathBuf> {
    create(path).and_then(|()| path.canonicalize()).map_err(|error| {
        let path = path.display();
        Error::Setup(format!("cannot make or open {path}: {error}; its folder must exist and be writable"))
    })
}

/// Opens a connection.
pub(super) fn open(path: &Path, access: Access) -> Result<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(SETTINGS)?;
    // The bundled SQLite is built with STAT4: without this, each new value for an indexed column prepares its
    // statement again, at five to ten times the cost.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    if access == Access::Read {
        connection.execute_batch("PRAGMA query_only = ON")?;
    }
    Ok(connection)
}

fn create(path: &Path) -> std::io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    private().open(path)?.sync_all()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    options
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use rusqlite::StatementStatus;

    use super::*;
    use crate::sqlite::statement;
    use crate::testing::Folder;

    fn setting(connection: &Connection, name: &str) -> i64 {
        connection.pragma_query_value(None, name, |row| row.get(0)).unwrap()
    }

    #[test]
    fn every_connection_is_durable_and_checks_references() {
        let folder = Folder::new();
        for access in [Access::Write, Access::Read] {
            let connection = open(&folder.path().join("store.db"), access).unwrap();
            // 2 is FULL: what was committed survives a power cut.
            assert_eq!(setting(&connection, "synchronous"), 2);
            assert_eq!(setting(&connection, "foreign_keys"), 1);
            assert_eq!(setting(&connection, "trusted_schema"), 0);
            assert_eq!(setting(&connection, "query_only"), i64::from(access == Access::Read));
            let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
            assert_eq!(mode, "wal");
        }
    }

    #[test]
    fn a_statement_is_prepared_once_for_all_its_values() {
        const FIND: &str = "SELECT a, b FROM t WHERE a = $1 AND b > $2 ORDER BY b LIMIT 100";
        let folder = Folder::new();
        let connection = open(&folder.path().join("store.db"), Access::Write).unwrap();
        connection
            .execute_batch("CREATE TABLE t (a INTEGER, b INTEGER); CREATE INDEX t_a ON t(a, b)")
            .unwrap();
        let connection = Mutex::new(connection);
        for number in 0..100_i64 {
            let rows: Vec<(i64, i64)> = statement::all(&connection, FIND, &[&(number % 7), &number]).unwrap();
            assert_eq!(rows, []);
        }
        let connection = statement::lock(&connection);
        let prepared = connection.prepare_cached(&FIND.replace('$', "?")).unwrap();
        assert_eq!(prepared.get_status(StatementStatus::Run), 100);
        assert_eq!(prepared.get_status(StatementStatus::RePrepare), 0);
    }

    #[test]
    fn a_lock_that_ends_in_a_moment_is_waited_for_and_one_that_stays_is_another_servers() {
        let folder = Folder::new();
        let path = folder.path().join("store.db");
        let held = lock(&path).unwrap();
        let refused = lock(&path).unwrap_err().to_string();
        assert!(refused.contains(&std::process::id().to_string()), "{refused}");
        let dying = std::thread::spawn(move || {
            std::thread::sleep(PAUSE * 5);
            drop(held);
        });
        lock(&path).unwrap();
        dying.join().unwrap();
    }
}
