//! A map that holds so many entries and no more: what is forgotten goes first, then what is worth least.

use std::collections::HashMap;
use std::hash::Hash;

use countersign_core::time::Timestamp;

/// How many entries one map holds at most.
pub(super) const REMEMBERED: usize = 10_000;

/// What can be dropped.
pub(super) trait Entry {
    /// Whether it is as if it had never been.
    fn is_forgotten(&self, now: Timestamp) -> bool;
    /// What is worth less goes first: a flood of invented accounts must push out none that is being guessed at.
    fn worth(&self, now: Timestamp) -> (bool, u32, Option<Timestamp>);
}

/// The map.
#[derive(Debug)]
pub(super) struct Bounded<K, V>(HashMap<K, V>);

impl<K, V> Default for Bounded<K, V> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Clone + Eq + Hash, V: Copy + Default + Entry> Bounded<K, V> {
    /// What is remembered of `key`.
    pub(super) fn get(&self, key: &K) -> V {
        self.0.get(key).copied().unwrap_or_default()
    }

    /// Remembers `value`, at the cost of another entry where it must be.
    pub(super) fn put(&mut self, key: K, value: V, now: Timestamp) {
        if self.0.len() >= REMEMBERED && !self.0.contains_key(&key) {
            self.make_room(now);
        }
        self.0.insert(key, value);
    }

    /// Many at once, since it takes a look at all of them.
    fn make_room(&mut self, now: Timestamp) {
        self.0.retain(|_, value| !value.is_forgotten(now));
        let too_many = (self.0.len() + REMEMBERED / 16).saturating_sub(REMEMBERED);
        let mut entries: Vec<_> = self.0.iter().map(|(key, value)| (value.worth(now), key.clone())).collect();
        entries.sort_unstable_by_key(|(worth, _)| *worth);
        for (_, key) in entries.into_iter().take(too_many) {
            self.0.remove(&key);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
