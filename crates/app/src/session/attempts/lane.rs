//! The attempts that all strangers together have at one account: each is earned by time, and given to one network as a
//! place that nobody else can take.

use countersign_core::time::Timestamp;

use super::bounded::Entry;

/// Attempts that wait for whoever comes, when nobody came for a while.
const BURST: i64 = 20;
/// No place is given that is due later than this: so long is the queue.
const QUEUE_MS: i64 = 60 * 60 * 1000;

/// One row of places: the attempt given last was earned at this moment.
#[derive(Clone, Copy, Debug, Default)]
struct Row(Option<Timestamp>);

impl Row {
    /// When the next attempt is earned; in the past, if it is there already.
    fn next(self, each_s: i64, now: Timestamp) -> Timestamp {
        let full = now.plus_seconds(-BURST * each_s);
        self.0.map_or(full, |given| given.max(full)).plus_seconds(each_s)
    }
}

/// Whose place it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guest {
    /// A network that has hardly tried this account within a day.
    New,
    /// One that has: it waits among its like.
    Again,
}

impl Guest {
    /// The seconds that earn an attempt. Both together are what distributed guessing has at one account: 4,320 a day.
    const fn each_s(self) -> i64 {
        match self {
            Self::New => 30,
            Self::Again => 60,
        }
    }
}

/// Both rows of one account.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lane {
    new: Row,
    again: Row,
}

impl Lane {
    /// The next place, taken: when it is due. Where the queue is full, the milliseconds until it is not.
    pub(super) fn take(&mut self, guest: Guest, now: Timestamp) -> Result<Timestamp, i64> {
        let next = self.row(guest).next(guest.each_s(), now);
        let too_far_ms = next.millis() - now.millis() - QUEUE_MS;
        if too_far_ms > 0 {
            return Err(too_far_ms);
        }
        *self.row(guest) = Row(Some(next));
        Ok(next)
    }

    /// Gives an attempt back whose password was right.
    pub(super) fn give_back(&mut self, guest: Guest) {
        let row = self.row(guest);
        row.0 = row.0.map(|given| given.plus_seconds(-guest.each_s()));
    }

    const fn row(&mut self, guest: Guest) -> &mut Row {
        match guest {
            Guest::New => &mut self.new,
            Guest::Again => &mut self.again,
        }
    }
}

impl Entry for Lane {
    fn is_forgotten(&self, now: Timestamp) -> bool {
        let is_full =
            |row: Row, guest: Guest| row.next(guest.each_s(), now) == Row(None).next(guest.each_s(), now);
        is_full(self.new, Guest::New) && is_full(self.again, Guest::Again)
    }

    fn worth(&self, _now: Timestamp) -> (bool, u32, Option<Timestamp>) {
        (false, 0, self.new.0.max(self.again.0))
    }
}
