//! Migrations: one text for both engines, applied once, each server checking what was applied before.

use std::fmt::Write;

use rusqlite::TransactionBehavior;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::tx::Tx;

/// One step of the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Migration {
    version: i64,
    name: &'static str,
    /// Neutral text; see `text_for`.
    text: &'static str,
}

impl Migration {
    /// Its number.
    pub(crate) const fn version(&self) -> i64 {
        self.version
    }
}

/// Every step, in order. Steps are added, never changed.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, name: "init", text: include_str!("../migrations/0001_init.sql") },
    Migration {
        version: 2,
        name: "repository_making",
        text: include_str!("../migrations/0002_repository_making.sql"),
    },
    Migration { version: 3, name: "pulse", text: include_str!("../migrations/0003_pulse.sql") },
    Migration { version: 4, name: "push", text: include_str!("../migrations/0004_push.sql") },
    Migration {
        version: 5,
        name: "client_document",
        text: include_str!("../migrations/0005_client_document.sql"),
    },
    Migration {
        version: 6,
        name: "repository_import",
        text: include_str!("../migrations/0006_repository_import.sql"),
    },
    Migration { version: 7, name: "audit_seal", text: include_str!("../migrations/0007_audit_seal.sql") },
    Migration { version: 8, name: "passkey", text: include_str!("../migrations/0008_passkey.sql") },
    Migration { version: 9, name: "invitation", text: include_str!("../migrations/0009_invitation.sql") },
    Migration {
        version: 10,
        name: "proposal_order",
        text: include_str!("../migrations/0010_proposal_order.sql"),
    },
];

/// Which engine a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Sqlite,
    Postgres,
}

const TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migration (version {I64} PRIMARY KEY, name TEXT NOT NULL, \
    checksum TEXT NOT NULL){STRICT}";
const APPLIED: &str = "SELECT version, checksum FROM schema_migration ORDER BY version";
const NOTE: &str = "INSERT INTO schema_migration (version, name, checksum) VALUES ($1, $2, $3)";
/// Any number that nothing else in the database locks.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7431908260412)";

/// The text for one engine: tokens `{I64}`, `{BLOB}`, `{STRICT}`, and lines between `--@sqlite` or `--@pg` and
/// `--@end` for that engine alone.
fn text_for(engine: Engine, text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut keep = true;
    for line in text.lines() {
        match line.trim() {
            "--@sqlite" => keep = engine == Engine::Sqlite,
            "--@pg" => keep = engine == Engine::Postgres,
            "--@end" => keep = true,
            _ if keep => {
                kept.push_str(line);
                kept.push('\n');
            }
            _ => {}
        }
    }
    let words = match engine {
        Engine::Sqlite => [("{I64}", "INTEGER"), ("{BLOB}", "BLOB"), ("{STRICT}", " STRICT")],
        Engine::Postgres => [("{I64}", "BIGINT"), ("{BLOB}", "BYTEA"), ("{STRICT}", "")],
    };
    words.iter().fold(kept, |text, (token, word)| text.replace(token, word))
}

/// Over the neutral text, so that both engines note the same.
fn checksum(text: &str) -> String {
    Sha256::digest(text).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// What is still to be applied; refuses a database that this program does not know.
fn missing<'m>(applied: &[(i64, String)], all: &'m [Migration]) -> Result<Vec<&'m Migration>> {
    for (version, sum) in applied {
        let Some(known) = all.iter().find(|migration| migration.version == *version) else {
            return Err(Error::Setup(format!(
                "the database was made by a newer program (schema {version}); install that one, or restore a backup"
            )));
        };
        if checksum(known.text) != *sum {
            return Err(Error::Setup(format!(
                "schema step {version} of this program is not the one that made the database; install the release \
                 that did"
            )));
        }
    }
    Ok(all
        .iter()
        .filter(|migration| !applied.iter().any(|(version, _)| *version == migration.version))
        .collect())
}

const NOTED_SQLITE: &str = "SELECT 1 FROM sqlite_schema WHERE name = 'schema_migration'";
const NOTED_POSTGRES: &str = "SELECT 1 WHERE to_regclass('schema_migration') IS NOT NULL";

/// Refuses a database whose schema is not exactly that of this program; nothing is changed.
pub(crate) async fn is_present(t: &Tx<'_>) -> Result<()> {
    if !t.any(t.pick(NOTED_SQLITE, NOTED_POSTGRES), &[]).await? {
        return Err(Error::Setup(
            "there is nothing of Countersign in the database; start a server on it first".into(),
        ));
    }
    let applied: Vec<(i64, String)> = t.all(APPLIED, &[]).await?;
    match missing(&applied, MIGRATIONS)?.first() {
        None => Ok(()),
        Some(step) => Err(Error::Setup(format!(
            "the database was made by an older program (it lacks step {} of the schema); start a server of this \
             program on it first, which adds that",
            step.version
        ))),
    }
}

/// The names of the tables, in the order in which the steps make them.
pub(crate) fn tables() -> impl Iterator<Item = &'static str> {
    MIGRATIONS
        .iter()
        .flat_map(|step| step.text.lines())
        .filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split([' ', '(']).next())
}

/// Migrates a SQLite file; a second process waits for the write lock and finds the work done.
pub(crate) fn sqlite(connection: &mut rusqlite::Connection, all: &[Migration]) -> Result<()> {
    let t = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    t.execute_batch(&text_for(Engine::Sqlite, TABLE))?;
    let applied = t
        .prepare(APPLIED)?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(i64, String)>>>()?;
    for step in missing(&applied, all)? {
        t.execute_batch(&text_for(Engine::Sqlite, step.text))?;
        t.execute(NOTE, (step.version, step.name, checksum(step.text)))?;
    }
    Ok(t.commit()?)
}

/// Migrates a PostgreSQL database; a second server waits for the advisory lock and finds the work done.
pub(crate) async fn postgres(client: &mut tokio_postgres::Client, all: &[Migration]) -> Result<()> {
    let t = client.transaction().await?;
    // A sibling may take its time: the lock timeout of ordinary work does not hold here.
    t.batch_execute("SET LOCAL lock_timeout = 0").await?;
    t.batch_execute(LOCK).await?;
    t.batch_execute(&text_for(Engine::Postgres, TABLE)).await?;
    let rows = t.query(APPLIED, &[]).await?;
    let applied = rows
        .iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect::<Result<Vec<(i64, String)>>>()?;
    for step in missing(&applied, all)? {
        t.batch_execute(&text_for(Engine::Postgres, step.text)).await?;
        t.execute(NOTE, &[&step.version, &step.name, &checksum(step.text)]).await?;
    }
    Ok(t.commit().await?)
}

/// Names the present schema: the same for the same steps.
#[cfg(feature = "testing")]
pub(crate) fn fingerprint() -> String {
    let all: String = MIGRATIONS.iter().map(|step| checksum(step.text)).collect();
    checksum(&all)[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Folder;

    const FIRST: Migration =
        Migration { version: 1, name: "first", text: "CREATE TABLE a (id {I64}){STRICT};" };
    const SECOND: Migration =
        Migration { version: 2, name: "second", text: "CREATE TABLE b (id {BLOB}){STRICT};" };
    const CHANGED: Migration =
        Migration { version: 1, name: "first", text: "CREATE TABLE a (id TEXT){STRICT};" };

    fn refused(result: &Result<()>, word: &str) {
        assert!(matches!(result, Err(Error::Setup(sentence)) if sentence.contains(word)), "{result:?}");
    }

    #[test]
    fn a_file_of_a_newer_or_another_program_is_refused() {
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        sqlite(&mut connection, &[FIRST]).unwrap();
        sqlite(&mut connection, &[FIRST, SECOND]).unwrap();
        sqlite(&mut connection, &[FIRST, SECOND]).unwrap();
        refused(&sqlite(&mut connection, &[FIRST]), "newer");
        refused(&sqlite(&mut connection, &[CHANGED, SECOND]), "not the one");
    }

    #[tokio::test]
    async fn a_postgresql_of_a_newer_or_another_program_is_refused() {
        let database = crate::testing::Database::create_empty().await;
        let (mut client, connection) =
            tokio_postgres::connect(database.url(), tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        postgres(&mut client, &[FIRST]).await.unwrap();
        postgres(&mut client, &[FIRST, SECOND]).await.unwrap();
        postgres(&mut client, &[FIRST, SECOND]).await.unwrap();
        refused(&postgres(&mut client, &[FIRST]).await, "newer");
        refused(&postgres(&mut client, &[CHANGED, SECOND]).await, "not the one");
        database.remove().await;
    }

    #[test]
    fn who_comes_while_another_process_migrates_waits_for_it() {
        let folder = Folder::new();
        let path = folder.path().join("store.db");
        let open = || {
            let connection = rusqlite::Connection::open(&path).unwrap();
            connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 60000").unwrap();
            connection
        };
        let (mut first, mut second) = (open(), open());
        sqlite(&mut first, &[FIRST]).unwrap();
        let other = first.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
        std::thread::scope(|threads| {
            let waiting = threads.spawn(|| sqlite(&mut second, &[FIRST, SECOND]));
            // Time for the other to run into the lock; were it later, it would find the work done.
            std::thread::sleep(std::time::Duration::from_millis(200));
            other.execute_batch(&text_for(Engine::Sqlite, SECOND.text)).unwrap();
            other.execute(NOTE, (SECOND.version, SECOND.name, checksum(SECOND.text))).unwrap();
            other.commit().unwrap();
            waiting.join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_text_keeps_the_lines_of_its_engine() {
        let text = "a {I64}\n--@sqlite\nb {BLOB}\n--@end\n--@pg\nc {BLOB}\n--@end\nd{STRICT}";
        assert_eq!(text_for(Engine::Sqlite, text), "a INTEGER\nb BLOB\nd STRICT\n");
        assert_eq!(text_for(Engine::Postgres, text), "a BIGINT\nc BYTEA\nd\n");
    }
}
