//! PostgreSQL databases for tests, copied from a template that is migrated once a schema.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio_postgres::NoTls;

use crate::{Db, migrate};

const MISSING: &str = "COUNTERSIGN_TEST_PG is not set; run: eval \"$(scripts/pg.sh env)\"";
/// Held by whoever makes the template; any number that nothing else locks.
const LOCK: i64 = 7_431_908_260_413;
const LIKE_SQLITE: &str = "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'";

/// A database of one test's own. Call `remove` at the end.
#[derive(Debug)]
pub struct Database {
    name: String,
    url: String,
}

impl Database {
    /// A database with the present schema.
    pub async fn create() -> Self {
        let admin = admin().await;
        let template = template(&admin).await;
        Self::make(&admin, &format!("TEMPLATE {template}")).await
    }

    /// A database without any table.
    pub async fn create_empty() -> Self {
        Self::make(&admin().await, LIKE_SQLITE).await
    }

    /// A database that sorts and encodes otherwise than the store wants it.
    pub async fn create_sorted(collation: &str, encoding: &str) -> Self {
        let like = format!("TEMPLATE template0 ENCODING '{encoding}' LC_COLLATE '{collation}' LC_CTYPE 'C'");
        Self::make(&admin().await, &like).await
    }

    /// Its address, for `Db::open`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Drops it, with whoever is still connected.
    pub async fn remove(self) {
        run(&admin().await, &format!("DROP DATABASE {} WITH (FORCE)", self.name)).await;
    }

    async fn make(admin: &tokio_postgres::Client, like: &str) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("t_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        // A test that was killed under the same process id may have left one.
        run(admin, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
        run(admin, &format!("CREATE DATABASE {name} {like}")).await;
        let url = with_database(&base(), &name);
        Self { name, url }
    }
}

/// The name of the migrated template, made now if this server has none for the present schema.
async fn template(admin: &tokio_postgres::Client) -> String {
    let name = format!("template_{}", migrate::fingerprint());
    run(admin, &format!("SELECT pg_advisory_lock({LOCK})")).await;
    let known = admin.query("SELECT 1 FROM pg_database WHERE datname = $1", &[&name]).await;
    if known.unwrap_or_else(|error| panic!("{error}")).is_empty() {
        let draft = format!("draft_{name}");
        run(admin, &format!("DROP DATABASE IF EXISTS {draft} WITH (FORCE)")).await;
        run(admin, &format!("CREATE DATABASE {draft} {LIKE_SQLITE}")).await;
        let db = Db::open(&with_database(&base(), &draft)).await;
        db.unwrap_or_else(|error| panic!("the template cannot be migrated: {error:?}")).close().await;
        let gone =
            format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{draft}'");
        run(admin, &gone).await;
        run(admin, &format!("ALTER DATABASE {draft} RENAME TO {name}")).await;
    }
    run(admin, &format!("SELECT pg_advisory_unlock({LOCK})")).await;
    name
}

async fn admin() -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(&base(), NoTls).await.unwrap_or_else(|error| {
        panic!("COUNTERSIGN_TEST_PG does not answer ({error}); run scripts/pg.sh start")
    });
    tokio::spawn(connection);
    client
}

fn base() -> String {
    super::environment("COUNTERSIGN_TEST_PG").unwrap_or_else(|| panic!("{MISSING}"))
}

async fn run(client: &tokio_postgres::Client, sql: &str) {
    client.batch_execute(sql).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
}

/// The same server, another database.
fn with_database(url: &str, name: &str) -> String {
    let (address, query) = url.split_once('?').map_or((url, None), |(address, query)| (address, Some(query)));
    let host = address.find("://").map_or(0, |at| at + 3);
    let end = address[host..].find('/').map_or(address.len(), |at| host + at);
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}/{name}{query}", &address[..end])
}

#[cfg(test)]
mod tests {
    use super::with_database;

    #[test]
    fn another_database_keeps_the_rest_of_the_address() {
        assert_eq!(with_database("postgres://u@h:1/a?x=y", "b"), "postgres://u@h:1/b?x=y");
        assert_eq!(with_database("postgres://u@h:1", "b"), "postgres://u@h:1/b");
    }
}
