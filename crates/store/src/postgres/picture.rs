//! A database read beside the servers that write to it: one transaction that sees what is committed when it begins.

use deadpool_postgres as pool;

use super::connect;
use crate::error::Result;

/// Nobody writes in it, and between two rows it may wait for a slow disk: no timeout of ordinary work holds here.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
    SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0";
/// The first statement takes the picture.
const LOOK: &str = "SELECT 1";

/// Connects, checks the database and takes the picture. It ends with the connection.
pub(crate) async fn snapshot(url: &str) -> Result<pool::Client> {
    let client = alone(url).await?;
    client.batch_execute(BEGIN).await?;
    client.batch_execute(LOOK).await?;
    Ok(client)
}

/// One connection, outside of any pool that lives on.
pub(crate) async fn alone(url: &str) -> Result<pool::Client> {
    let client = connect::pool(connect::config(url)?)?.get().await?;
    connect::check(&client).await?;
    Ok(client)
}
