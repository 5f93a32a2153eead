//! A clock that runs ahead or behind, so that what a test made before is over without waiting; and one that is set while
//! a server runs.

use std::path::PathBuf;

use countersign_app::edge::Clock;
use countersign_core::time::Timestamp;
use countersign_server::SystemClock;

/// The variable that says by how many seconds; or, behind an `@`, in which file that stands and may change.
pub const VARIABLE: &str = "TESTKIT_AHEAD_S";

/// The machine's clock, moved.
#[derive(Clone, Debug)]
pub enum Ahead {
    /// By so many seconds.
    By(i64),
    /// By as many as stand in a file at the moment.
    AsIn(PathBuf),
}

impl Ahead {
    /// Reads how far; what is no number is the machine's own time.
    pub fn parse(text: &str) -> Self {
        match text.strip_prefix('@') {
            Some(path) => Self::AsIn(path.into()),
            None => Self::By(seconds(text)),
        }
    }
}

fn seconds(text: &str) -> i64 {
    text.trim().parse().unwrap_or(0)
}

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        SystemClock.now().plus_seconds(match self {
            Self::By(by) => *by,
            Self::AsIn(path) => seconds(&std::fs::read_to_string(path).unwrap_or_default()),
        })
    }
}
