//! PostgreSQL: a pool of connections; a write runs in a task of its own, so that no caller leaves half of one.

mod connect;
mod listen;
mod picture;
mod session;

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres as pool;
use tokio::sync::RwLock;

use crate::error::{Error, Result, panic_text};
use crate::migrate;
use crate::tx::Tx;
use crate::wake::Wakes;
use listen::Ear;
pub(crate) use picture::{alone, snapshot};
pub(crate) use session::Session;

/// How long a request may wait for a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads what [`crate::look::READY`] asks for.
pub(crate) async fn look(url: &str) -> Result<Vec<String>> {
    let client = connect::pool(connect::config(url)?)?.get().await?;
    connect::check(&client).await?;
    let rows = client.query(crate::look::READY, &[]).await?;
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// An open database.
#[derive(Debug)]
pub(crate) struct Postgres {
    pool: pool::Pool,
    /// Each write under way holds it for reading; who closes waits for them.
    open: Arc<RwLock<bool>>,
    ear: Ear,
}

impl Postgres {
    /// Connects, checks the database and migrates it.
    pub(crate) async fn open(url: &str, wakes: Wakes) -> Result<Self> {
        let config = connect::config(url)?;
        let pool = connect::pool(config.clone())?;
        let mut client = pool.get().await?;
        connect::check(&client).await?;
        migrate::postgres(&mut client, migrate::MIGRATIONS).await?;
        drop(client);
        let ear = Ear::open(config, wakes).await?;
        Ok(Self { pool, open: Arc::new(RwLock::new(true)), ear })
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
        let pool = self.pool.clone();
        // A dropped request must not leave a connection inside a transaction.
        let task = tokio::spawn(async move {
            let result = transact(&pool, work).await;
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
        self.ear.close();
        self.pool.close();
    }
}

async fn transact<T, E, F>(pool: &pool::Pool, work: F) -> Result<T, E>
where
    E: From<Error>,
    F: for<'c> FnOnce(&'c Tx<'c>) -> crate::Job<'c, T, E>,
{
    let mut client = pool.get().await.map_err(Error::from)?;
    let transaction = client.transaction().await.map_err(Error::from)?;
    let tx = Tx::postgres(Session::Write(&transaction));
    // Leaving on an error drops the transaction, which rolls it back.
    let value = work(&tx).await?;
    for wake in tx.take_wakes() {
        listen::tell(&tx, &wake).await?;
    }
    // A refusal that the job swallowed: PostgreSQL would answer this COMMIT with success and keep nothing.
    tx.usable()?;
    drop(tx);
    transaction.commit().await.map_err(Error::from)?;
    Ok(value)
}
