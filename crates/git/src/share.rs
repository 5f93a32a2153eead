//! Shares: so many places of a kind for each person, so that nobody takes those of all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use countersign_core::id::UserId;
use tokio::sync::Semaphore;

/// The places of each person who has one or waits for one.
#[derive(Debug)]
pub struct Shares {
    each: usize,
    known: Mutex<HashMap<UserId, Weak<Semaphore>>>,
}

impl Shares {
    /// So many places for each person.
    pub fn new(each: usize) -> Self {
        Self { each, known: Mutex::default() }
    }

    /// The places of one person.
    pub fn of(&self, who: UserId) -> Arc<Semaphore> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(places) = known.get(&who).and_then(Weak::upgrade) {
            return places;
        }
        // Every place that is taken, and everybody who waits for one, holds the semaphore.
        known.retain(|_, places| places.strong_count() > 0);
        let places = Arc::new(Semaphore::new(self.each));
        known.insert(who, Arc::downgrade(&places));
        places
    }
}
