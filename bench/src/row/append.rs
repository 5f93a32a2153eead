//! Durable appends to the event log under many clients, against one commit for each.

use std::sync::{Arc, Mutex, PoisonError};

use countersign_core::id::ResourceId;
use countersign_core::time::Timestamp;
use countersign_store::event::{self, NewEvent};
use countersign_store::testing::house::House;
use countersign_store::testing::{Folder, Inline};
use countersign_store::{Db, Error, Tx};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::Row;
use crate::ROUNDS;
use crate::budget::Budget;
use crate::clock::timed;
use crate::failure::Failure;

const CLIENTS: u32 = 64;
/// Appends of each client in a round.
const EACH: u32 = 100;
/// Appends of each client of the baseline in a round.
const EACH_ALONE: u32 = 16;

pub(crate) fn rows(runtime: &Runtime) -> Result<Vec<Row>, Failure> {
    let store = Store::make(runtime)?;
    let alone = Store::make(runtime)?;
    runtime.block_on(alone.db.close());
    let inline = Inline::open(&alone.folder.path().join("store.db"));
    let inline = Arc::new(Mutex::new(inline.map_err(Failure::while_doing("open a store"))?));
    let (mut ours, mut baseline) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let together = together(runtime, &store)?;
        let one_by_one = one_by_one(runtime, &inline, alone.log)?;
        // The first round lets both files grow.
        if round > 0 {
            ours.push(together);
            baseline.push(one_by_one);
        }
    }
    Ok(vec![Row {
        name: format!("durable event appends, {CLIENTS} clients (group commit)"),
        unit: "appends/s",
        ours,
        baseline,
        budget: Budget::Rate(8.0),
        conditions:
            "SQLite, synchronous=FULL, one log; baseline one commit per append by as many clients, who share a \
                     connection behind a mutex"
                .to_owned(),
    }])
}

struct Store {
    folder: Folder,
    db: Db,
    log: ResourceId,
}

impl Store {
    fn make(runtime: &Runtime) -> Result<Self, Failure> {
        let folder = Folder::new();
        let db = runtime.block_on(Db::open(&folder.sqlite_url()));
        let db = db.map_err(Failure::while_doing("open a store"))?;
        let log = runtime.block_on(House::build(&db)).resource;
        Ok(Self { folder, db, log })
    }
}

/// Appends a second of all clients at once; each waits for its answer before it appends again.
fn together(runtime: &Runtime, store: &Store) -> Result<f64, Failure> {
    let (milliseconds, done) = timed(|| {
        runtime.block_on(async {
            let mut clients = JoinSet::new();
            for _ in 0..CLIENTS {
                let (db, log) = (store.db.clone(), store.log);
                clients.spawn(async move {
                    for _ in 0..EACH {
                        db.write(move |t| Box::pin(append(t, log))).await?;
                    }
                    Ok::<_, Error>(())
                });
            }
            clients.join_all().await.into_iter().collect::<Result<(), Error>>()
        })
    });
    done.map_err(Failure::while_doing("append"))?;
    Ok(f64::from(CLIENTS * EACH) * 1e3 / milliseconds)
}

/// The same where each append is committed by itself.
fn one_by_one(runtime: &Runtime, inline: &Arc<Mutex<Inline>>, log: ResourceId) -> Result<f64, Failure> {
    let (milliseconds, done) = timed(|| {
        runtime.block_on(async {
            let mut clients = JoinSet::new();
            for _ in 0..CLIENTS {
                let inline = Arc::clone(inline);
                clients.spawn(async move {
                    for _ in 0..EACH_ALONE {
                        let inline = Arc::clone(&inline);
                        let write = move || {
                            let inline = inline.lock().unwrap_or_else(PoisonError::into_inner);
                            inline.write(move |t| Box::pin(append(t, log)))
                        };
                        let written = tokio::task::spawn_blocking(write).await;
                        written.map_err(|error| Error::Panicked(error.to_string()))??;
                    }
                    Ok::<_, Error>(())
                });
            }
            clients.join_all().await.into_iter().collect::<Result<(), Error>>()
        })
    });
    done.map_err(Failure::while_doing("append"))?;
    Ok(f64::from(CLIENTS * EACH_ALONE) * 1e3 / milliseconds)
}

async fn append(t: &Tx<'_>, log: ResourceId) -> Result<(), Error> {
    let event = NewEvent {
        kind: "task.claimed".to_owned(),
        at: Timestamp::from_millis(1_795_910_400_000),
        actor: r#"{"kind":"agent"}"#.to_owned(),
        summary: "A task was claimed".to_owned(),
        refs: "{}".to_owned(),
    };
    event::append(t, log, event).await
}
