//! What one request, and all of them together, may use up.

use std::time::Duration;

/// The limits of this surface.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many gits read at the same time.
    pub at_once: usize,
    /// How many requests may wait for that.
    pub waiting: usize,
    /// How long one of them waits before it is turned away.
    pub patience: Duration,
    /// How long a list of refs may take.
    pub advertisement: Duration,
    /// How long a clone or fetch may take.
    pub fetch: Duration,
    /// How many bytes a client may send to say what it has and wants, after they were inflated.
    pub request: u64,
}

impl Limits {
    /// What ships.
    pub const SHIPPED: Self = Self {
        at_once: 16,
        waiting: 64,
        patience: Duration::from_secs(5),
        advertisement: Duration::from_secs(30),
        fetch: Duration::from_mins(10),
        request: 32 << 20,
    };
}
