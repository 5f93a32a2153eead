//! A clock that runs ahead, so that what a test made before is over without waiting.

use countersign_app::edge::Clock;
use countersign_core::time::Timestamp;
use countersign_server::SystemClock;

/// The variable that says by how many seconds.
pub const VARIABLE: &str = "TESTKIT_AHEAD_S";

/// The machine's clock, ahead of time.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    seconds: i64,
}

impl Ahead {
    /// Reads how far; what is no number is the machine's own time.
    pub fn parse(text: &str) -> Self {
        Self { seconds: text.parse().unwrap_or(0) }
    }
}

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        SystemClock.now().plus_seconds(self.seconds)
    }
}
