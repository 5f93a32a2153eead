//! The writer thread: takes all that waits, runs it in one transaction, answers after the commit.

use std::fs::File;
use std::sync::Mutex;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::job::run;
use super::statement::{self, lock};
use super::threads::Threads;
use super::{PATIENCE, QUEUE, closed};
use crate::error::{Error, Result};
use crate::tx::Tx;
use crate::wake::{Wake, Wakes};

/// How many jobs share a commit at most.
const BATCH: usize = 256;

/// A write that was not answered yet. Without a transaction to run in it only answers why.
pub(super) type WriteJob = Box<dyn FnOnce(Result<&Mutex<Connection>>) -> Ran + Send>;

/// A write that ran: whether it wishes to be kept, and how it is answered once the commit is known.
pub(super) struct Ran {
    keep: bool,
    wakes: Vec<Wake>,
    answer: Box<dyn FnOnce(Result<()>) + Send>,
}

enum Order {
    Run(WriteJob),
    Stop,
}

/// The thread and the bounded queue in front of it.
#[derive(Debug)]
pub(super) struct Writer {
    orders: mpsc::Sender<Order>,
    threads: Threads,
}

impl Writer {
    /// Starts the thread, which keeps the connection, and the lock of the file until it ends.
    pub(super) fn start(connection: Connection, file: File, wakes: Wakes) -> Result<Self> {
        let (orders, queue) = mpsc::channel(QUEUE);
        let mut threads = Threads::default();
        threads.start("db-write", connection, move |connection| {
            serve(queue, &connection, &wakes);
            // Whoever finds the lock free finds the file closed.
            drop(connection);
            drop(file);
        })?;
        Ok(Self { orders, threads })
    }

    /// Queues a job; waits for a place no longer than `PATIENCE`.
    pub(super) async fn send(&self, job: WriteJob) -> Result<()> {
        match timeout(PATIENCE, self.orders.send(Order::Run(job))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(closed()),
            Err(_) => Err(Error::Unavailable("too many writes are waiting".to_owned())),
        }
    }

    /// Waits until all that is queued is committed and the file is closed.
    pub(super) async fn close(&self) {
        // A queue that is closed already is being drained.
        let _ = self.orders.send(Order::Stop).await;
        self.threads.ended().await;
    }
}

/// Makes a job of the caller's work and the channel on which it waits.
pub(super) fn job<T, E, F>(work: F, answer: oneshot::Sender<Result<T, E>>) -> WriteJob
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
    F: for<'c> FnOnce(&'c Tx<'c>) -> crate::Job<'c, T, E> + Send + 'static,
{
    Box::new(move |connection| {
        let (result, wakes) = match connection {
            Ok(connection) => {
                let tx = Tx::sqlite(connection);
                (run(&tx, work), tx.take_wakes())
            }
            Err(error) => (Err(error.into()), Vec::new()),
        };
        Ran {
            keep: result.is_ok(),
            wakes,
            answer: Box::new(move |committed| {
                // Who went away does not wait for an answer.
                let _ = answer.send(match committed {
                    Ok(()) => result,
                    Err(error) => result.and_then(|_| Err(error.into())),
                });
            }),
        }
    })
}

fn serve(mut queue: mpsc::Receiver<Order>, connection: &Mutex<Connection>, wakes: &Wakes) {
    while let Some(first) = queue.blocking_recv() {
        let mut batch = Vec::new();
        let mut next = Some(first);
        while let Some(order) = next {
            match order {
                Order::Run(job) => batch.push(job),
                Order::Stop => queue.close(),
            }
            next = if batch.len() < BATCH { queue.try_recv().ok() } else { None };
        }
        if !batch.is_empty() {
            commit(batch, connection, wakes);
        }
    }
    // With fresh statistics and the log folded back the next start is quick. Both may fail without harm.
    let _ = lock(connection).execute_batch("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)");
}

/// Runs the jobs in one transaction and answers each.
fn commit(batch: Vec<WriteJob>, connection: &Mutex<Connection>, wakes: &Wakes) {
    let mut frame = sql(connection, "BEGIN IMMEDIATE");
    let ran = run_all(batch, connection, &mut frame);
    let keep = ran.iter().any(|ran| ran.keep);
    let result = frame.and_then(|()| sql(connection, if keep { "COMMIT" } else { "ROLLBACK" }));
    if let Err(error) = &result {
        tracing::error!(%error, "a batch of writes was not committed");
        if !lock(connection).is_autocommit() {
            let _ = sql(connection, "ROLLBACK");
        }
    }
    for ran in ran {
        if ran.keep && result.is_ok() {
            wakes.send(ran.wakes);
        }
        (ran.answer)(result.clone());
    }
}

/// Each job has a savepoint of its own, so that one which fails takes nothing of its neighbours with it; a
/// single job needs none. Once the frame is broken nothing will be committed, and no further job runs.
fn run_all(batch: Vec<WriteJob>, connection: &Mutex<Connection>, frame: &mut Result<()>) -> Vec<Ran> {
    let shared = batch.len() > 1;
    let mut all = Vec::with_capacity(batch.len());
    for job in batch {
        if frame.is_ok() && shared {
            *frame = sql(connection, "SAVEPOINT job");
        }
        if let Err(error) = frame {
            all.push(job(Err(error.clone())));
            continue;
        }
        let ran = job(Ok(connection));
        if lock(connection).is_autocommit() {
            *frame = Err(Error::Unavailable("SQLite ended the transaction by itself".to_owned()));
        } else if shared {
            *frame = end_savepoint(connection, ran.keep);
        }
        all.push(ran);
    }
    all
}

fn end_savepoint(connection: &Mutex<Connection>, keep: bool) -> Result<()> {
    if !keep {
        sql(connection, "ROLLBACK TO job")?;
    }
    sql(connection, "RELEASE job")
}

fn sql(connection: &Mutex<Connection>, sql: &str) -> Result<()> {
    statement::exec(connection, sql, &[]).map(|_| ())
}
