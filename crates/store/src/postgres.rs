//! PostgreSQL: a pool of connections; a write runs in a task of its own, so that no caller leaves half of one.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres as pool;
use tokio::sync::RwLock;
use tokio_postgres::NoTls;
use tokio_postgres::config::SslMode;
use tokio_postgres::types::{ToSql, Type};

use crate::error::{Error, Result, chain, panic_text};
use crate::migrate;
use crate::param::Args;
use crate::row::{FromRow, Row};
use crate::tx::Tx;
use crate::wake::Wakes;

const CONNECTIONS: usize = 16;
/// How long a request may wait for a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// A lock that is not given within the patience, and a transaction that its server forgot, end with an error.
const OPTIONS: &str = "-c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000";

/// An open database.
#[derive(Debug)]
pub(crate) struct Postgres {
    pool: pool::Pool,
    /// Each write under way holds it for reading; who closes waits for them.
    open: Arc<RwLock<bool>>,
    wakes: Wakes,
}

impl Postgres {
    /// Connects, checks the database and migrates it.
    pub(crate) async fn open(url: &str, wakes: Wakes) -> Result<Self> {
        let pool = pool(url)?;
        let mut client = pool.get().await?;
        check(&client).await?;
        migrate::postgres(&mut client, migrate::MIGRATIONS).await?;
        drop(client);
        Ok(Self { pool, open: Arc::new(RwLock::new(true)), wakes })
    }

    /// Runs `work` in one transaction; the answer comes after its commit.
    pub(crate) async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: for<'c> FnOnce(&'c Tx<'c>) -> crate::Job<'c, T, E> + Send + 'static,
    {
        let open = Arc::clone(&self.open).read_owned().await;
        if !*open {
            return Err(Error::Unavailable("the store is closed".to_owned()).into());
        }
        let (pool, wakes) = (self.pool.clone(), self.wakes.clone());
        // A dropped request must not leave a connection inside a transaction.
        let task = tokio::spawn(async move {
            let result = transact(&pool, &wakes, work).await;
            drop(open);
            result
        });
        task.await.unwrap_or_else(|error| {
            let text = error.try_into_panic().map(|panic| panic_text(panic.as_ref()));
            Err(Error::Panicked(text.unwrap_or_else(|error| error.to_string())).into())
        })
    }

    /// Runs `work` on a pooled connection, each statement by itself.
    pub(crate) async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: for<'c> FnOnce(&'c Tx<'c>) -> crate::Job<'c, T, E> + Send + 'static,
    {
        let client = self.pool.get().await.map_err(Error::from)?;
        let tx = Tx::postgres(Session::Read(&client));
        work(&tx).await
    }

    /// Waits for the writes under way and closes the connections.
    pub(crate) async fn close(&self) {
        *self.open.write().await = false;
        self.pool.close();
    }
}

async fn transact<T, E, F>(pool: &pool::Pool, wakes: &Wakes, work: F) -> Result<T, E>
where
    E: From<Error>,
    F: for<'c> FnOnce(&'c Tx<'c>) -> crate::Job<'c, T, E>,
{
    let mut client = pool.get().await.map_err(Error::from)?;
    let transaction = client.transaction().await.map_err(Error::from)?;
    let tx = Tx::postgres(Session::Write(&transaction));
    // Leaving on an error drops the transaction, which rolls it back.
    let value = work(&tx).await?;
    tx.usable()?;
    let told = tx.take_wakes();
    drop(tx);
    transaction.commit().await.map_err(Error::from)?;
    wakes.send(told);
    Ok(value)
}

fn pool(url: &str) -> Result<pool::Pool> {
    let mut config: tokio_postgres::Config = url
        .parse()
        .map_err(|error| Error::Setup(format!("the PostgreSQL address cannot be read: {}", chain(&error))))?;
    if config.get_ssl_mode() == SslMode::Require {
        return Err(Error::Setup(
            "this program speaks to PostgreSQL without TLS; use a local socket, a private network or a tunnel, \
             and leave sslmode out of the address"
                .to_owned(),
        ));
    }
    let options =
        config.get_options().map_or_else(|| OPTIONS.to_owned(), |given| format!("{given} {OPTIONS}"));
    config.options(options).application_name("countersign").connect_timeout(PATIENCE);
    let recycle = pool::ManagerConfig { recycling_method: pool::RecyclingMethod::Fast };
    pool::Pool::builder(pool::Manager::from_config(config, NoTls, recycle))
        .max_size(CONNECTIONS)
        .wait_timeout(Some(PATIENCE))
        .runtime(pool::Runtime::Tokio1)
        .build()
        .map_err(|error| Error::Setup(chain(&error)))
}

/// Text must sort as it does in SQLite, by bytes, or pages would differ; and it must hold every character.
async fn check(client: &pool::Client) -> Result<()> {
    const SORTS: &str = "SELECT CASE WHEN 'B' < 'a' AND '-' < '1' AND 'z' < 'é' \
        AND current_setting('server_encoding') = 'UTF8' THEN 1 ELSE 0 END::bigint, current_database()::text";
    let row = client.query_one(SORTS, &[]).await?;
    let (right, name): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
    if right != 1 {
        return Err(Error::Setup(format!(
            "the PostgreSQL database {name} must be UTF8 and sort by bytes; make it with CREATE DATABASE {name} \
             TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
        )));
    }
    Ok(())
}

/// What the verbs of a transaction speak to.
pub(crate) enum Session<'c> {
    Write(&'c pool::Transaction<'c>),
    Read(&'c pool::Client),
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Write(_) => "Write",
            Self::Read(_) => "Read",
        })
    }
}

impl Session<'_> {
    pub(crate) async fn exec(&self, sql: &str, args: Args<'_>) -> Result<u64> {
        let (values, kinds) = values(args);
        Ok(match self {
            Self::Write(t) => t.execute(&t.prepare_typed_cached(sql, &kinds).await?, &values).await?,
            Self::Read(c) => c.execute(&c.prepare_typed_cached(sql, &kinds).await?, &values).await?,
        })
    }

    pub(crate) async fn all<T: FromRow>(&self, sql: &str, args: Args<'_>) -> Result<Vec<T>> {
        let (values, kinds) = values(args);
        let rows = match self {
            Self::Write(t) => t.query(&t.prepare_typed_cached(sql, &kinds).await?, &values).await?,
            Self::Read(c) => c.query(&c.prepare_typed_cached(sql, &kinds).await?, &values).await?,
        };
        rows.iter().map(|row| T::from_row(&mut Row::postgres(row))).collect()
    }
}

fn values(args: Args<'_>) -> (Vec<&(dyn ToSql + Sync)>, Vec<Type>) {
    args.iter().map(|arg| (arg.postgres(), arg.kind())).unzip()
}
