//! How the server is reached: the settings of every connection, the pool, and what the database must be.

use std::time::Duration;

use deadpool_postgres as pool;
use tokio_postgres::config::SslMode;
use tokio_postgres::{Config, NoTls};

use super::PATIENCE;
use crate::error::{Error, Result, chain};

const CONNECTIONS: usize = 16;

/// A lock that is not given within the patience, and a transaction that its server forgot, end with an error.
const OPTIONS: &str = "-c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000";

/// Reads the address and adds what every connection of ours has.
pub(super) fn config(url: &str) -> Result<Config> {
    let mut config: Config = url
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
    // A server that vanished without a word is noticed within a minute.
    config
        .keepalives_idle(Duration::from_secs(30))
        .keepalives_interval(Duration::from_secs(10))
        .keepalives_retries(3);
    Ok(config)
}

/// Makes the pool; it connects when it is asked.
pub(super) fn pool(config: Config) -> Result<pool::Pool> {
    let recycle = pool::ManagerConfig { recycling_method: pool::RecyclingMethod::Fast };
    pool::Pool::builder(pool::Manager::from_config(config, NoTls, recycle))
        .max_size(CONNECTIONS)
        .wait_timeout(Some(PATIENCE))
        .runtime(pool::Runtime::Tokio1)
        .build()
        .map_err(|error| Error::Setup(chain(&error)))
}

/// Text must sort as it does in SQLite, by bytes, or pages would differ; and it must hold every character.
pub(super) async fn check(client: &pool::Client) -> Result<()> {
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
