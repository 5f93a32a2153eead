//! The one place of the bench that reads the clock.

use std::time::Instant;

/// This moment.
#[expect(
    clippy::disallowed_methods,
    reason = "a measurement is an edge: to read the clock is what it is for"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// How long `work` takes, in milliseconds, and what it gives.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begun = now();
    let done = work();
    (begun.elapsed().as_secs_f64() * 1e3, done)
}
