//! What one request, and all of them together, may use up.

use std::time::Duration;

/// The limits of this surface.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many gits read at the same time.
    pub at_once: usize,
    /// How many gits take a push at the same time.
    pub pushes_at_once: usize,
    /// How many requests may wait for a place among those, and for one among these.
    pub waiting: usize,
    /// How long one of them waits before it is turned away.
    pub patience: Duration,
    /// How long a list of refs may take.
    pub advertisement: Duration,
    /// How long a clone or fetch may take.
    pub fetch: Duration,
    /// How long a push may take.
    pub push: Duration,
    /// How many bytes the pack of a push may have; the quota of the repository may leave less.
    pub pack: u64,
    /// How many bytes a client may send to say what it has and wants, after they were inflated.
    pub request: u64,
}

impl Limits {
    /// What ships.
    pub const SHIPPED: Self = Self {
        at_once: 16,
        pushes_at_once: 8,
        waiting: 64,
        patience: Duration::from_secs(5),
        advertisement: Duration::from_secs(30),
        fetch: Duration::from_mins(10),
        push: Duration::from_mins(10),
        pack: 2 << 30,
        request: 32 << 20,
    };
}
