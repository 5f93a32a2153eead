//! A clock that stands still where the machine's is set back, so that no delay grows by it.

use countersign_core::time::Timestamp;

/// Time that never goes back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steady {
    latest: Option<Timestamp>,
    /// By how much the machine's clock was set back, all in all.
    ahead_ms: i64,
}

impl Steady {
    /// The moment, when the machine's clock shows `now`.
    pub(super) fn at(&mut self, now: Timestamp) -> Timestamp {
        let shown = now.millis() + self.ahead_ms;
        let moment = self.latest.map_or(shown, |latest| shown.max(latest.millis()));
        self.ahead_ms += moment - shown;
        let moment = Timestamp::from_millis(moment);
        self.latest = Some(moment);
        moment
    }

    /// The moment of the last look; none was before.
    pub(super) const fn latest(&self) -> Option<Timestamp> {
        self.latest
    }
}
