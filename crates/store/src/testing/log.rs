//! The log of a resource, read beside a server that has the store open.

use std::sync::Mutex;

use countersign_core::id::ResourceId;
use rusqlite::{Connection, OpenFlags};

use crate::event::{self, Event};
use crate::tx::Tx;
use crate::{Db, Result};

/// The first ten thousand events of a resource in the store at this address.
pub async fn beside(url: &str, resource: ResourceId) -> Vec<Event> {
    let read = match url.strip_prefix("sqlite:") {
        // A second server is refused the file; a reader is not.
        Some(path) => of_file(path, resource).await,
        None => of_server(url, resource).await,
    };
    read.unwrap_or_else(|error| panic!("the log cannot be read: {error}"))
}

async fn of_file(path: &str, resource: ResourceId) -> Result<Vec<Event>> {
    let connection = Mutex::new(Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?);
    event::page(&Tx::sqlite(&connection), resource, 0, 10_000).await
}

async fn of_server(url: &str, resource: ResourceId) -> Result<Vec<Event>> {
    let db = Db::open(url).await?;
    let page = db.read(move |t| Box::pin(async move { event::page(t, resource, 0, 10_000).await })).await;
    db.close().await;
    page
}
