//! The edge: the clock and the randomness of the machine.

use countersign_app::edge::{Clock, Entropy};
use countersign_core::time::Timestamp;

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the edge where time comes in")]
    fn now(&self) -> Timestamp {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// This moment, by the machine's clock.
pub fn now() -> Timestamp {
    SystemClock.now()
}

/// The machine's source of randomness.
#[derive(Clone, Copy, Debug)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    #[expect(clippy::disallowed_methods, reason = "this is the edge where randomness comes in")]
    #[expect(clippy::expect_used, reason = "a machine without randomness cannot issue one safe token")]
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the machine's source of randomness works");
    }
}
