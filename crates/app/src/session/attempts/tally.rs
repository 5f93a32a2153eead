//! Attempts of one who is counted, and the delay that grows with them.

use countersign_core::time::Timestamp;

use super::bounded::Entry;

/// Attempts without any delay.
const FREE: u32 = 5;

/// How far the delay grows, and when the count begins anew.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) longest_s: i64,
    pub(super) forget_s: i64,
}

/// A count of attempts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    attempts: u32,
    last: Option<Timestamp>,
}

impl Tally {
    /// How long the next attempt has to wait; none or less, if it need not.
    pub(super) fn wait_ms(&self, pace: Pace, now: Timestamp) -> i64 {
        let attempts = self.attempts(pace, now);
        let Some(last) = self.last.filter(|_| attempts >= FREE) else { return 0 };
        let delay_s = (1_i64 << (attempts - FREE).min(16)).min(pace.longest_s);
        last.plus_seconds(delay_s).millis() - now.millis()
    }

    /// The attempts that are not forgotten.
    pub(super) fn attempts(&self, pace: Pace, now: Timestamp) -> u32 {
        let is_kept = |last: Timestamp| last.plus_seconds(pace.forget_s) > now;
        if self.last.is_some_and(is_kept) { self.attempts } else { 0 }
    }

    /// With one more attempt, made at `at`.
    pub(super) fn counted(&self, pace: Pace, at: Timestamp) -> Self {
        Self { attempts: self.attempts(pace, at).saturating_add(1), last: Some(at) }
    }

    /// With its last attempt at another moment.
    pub(super) const fn made_at(&self, at: Timestamp) -> Self {
        Self { attempts: self.attempts, last: Some(at) }
    }

    /// With one attempt given back.
    pub(super) const fn given_back(&self) -> Self {
        Self { attempts: self.attempts.saturating_sub(1), last: self.last }
    }

    pub(super) const fn last(&self) -> Option<Timestamp> {
        self.last
    }
}

/// What one host may try over all accounts.
pub(super) const HOST: Pace = Pace { longest_s: 60, forget_s: 15 * 60 };

/// The tally of a host.
impl Entry for Tally {
    fn is_forgotten(&self, now: Timestamp) -> bool {
        self.attempts(HOST, now) == 0
    }

    fn worth(&self, _now: Timestamp) -> (bool, u32, Option<Timestamp>) {
        (false, self.attempts, self.last)
    }
}
