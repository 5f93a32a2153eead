//! The reader threads: any of them takes the next job.

use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::threads::Threads;
use super::{PATIENCE, QUEUE, closed};
use crate::error::{Error, Result};

/// A read that answers by itself.
pub(super) type ReadJob = Box<dyn FnOnce(&Mutex<Connection>) + Send>;

enum Order {
    Run(ReadJob),
    Stop,
}

/// The threads and the bounded queue in front of them.
#[derive(Debug)]
pub(super) struct Readers {
    orders: crossbeam_channel::Sender<Order>,
    places: Arc<Semaphore>,
    count: usize,
    threads: Threads,
}

impl Readers {
    pub(super) fn start(connections: Vec<Connection>) -> Result<Self> {
        let count = connections.len();
        // Who sends holds one of the places, or is the one who stops the threads: sending never waits.
        let (orders, queue) = crossbeam_channel::bounded(QUEUE + count);
        let mut threads = Threads::default();
        for (number, connection) in connections.into_iter().enumerate() {
            let queue = queue.clone();
            threads.start(&format!("db-read-{number}"), connection, move |connection| {
                serve(&queue, &connection);
            })?;
        }
        Ok(Self { orders, places: Arc::new(Semaphore::new(QUEUE)), count, threads })
    }

    /// Queues a job; waits for a place no longer than `PATIENCE`.
    pub(super) async fn send(&self, job: ReadJob) -> Result<()> {
        let place = timeout(PATIENCE, Arc::clone(&self.places).acquire_owned())
            .await
            .map_err(|_| Error::Unavailable("too many reads are waiting".to_owned()))?
            .map_err(|_| closed())?;
        let job: ReadJob = Box::new(move |connection| {
            drop(place);
            job(connection);
        });
        self.orders.send(Order::Run(job)).map_err(|_| closed())
    }

    /// Waits until the threads ended after what is queued; later reads are refused.
    pub(super) async fn close(&self) {
        self.places.close();
        for _ in 0..self.count {
            let _ = self.orders.send(Order::Stop);
        }
        self.threads.ended().await;
    }
}

fn serve(queue: &crossbeam_channel::Receiver<Order>, connection: &Mutex<Connection>) {
    while let Ok(Order::Run(job)) = queue.recv() {
        job(connection);
    }
}
