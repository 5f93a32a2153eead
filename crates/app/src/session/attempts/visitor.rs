//! One network at one account: its own delay, the place it was promised, and whether its password was right.

use std::net::{IpAddr, Ipv6Addr};

use countersign_core::time::Timestamp;

use super::bounded::Entry;
use super::lane::Guest;
use super::tally::{Pace, Tally};

/// What one network may try at one account.
const OWN: Pace = Pace { longest_s: 15 * 60, forget_s: 24 * 60 * 60 };
/// How long a place is kept for whoever comes late: as long as the longest delay, which is then over as well.
const KEPT_S: i64 = OWN.longest_s;
/// How long a right password speaks for the network that it came from.
const PROVEN_S: i64 = 7 * 24 * 60 * 60;
/// As many attempts a day has a network as a new guest.
const NEW: u32 = 2;

/// A network that fairness counts: an address of IPv4, or the 48 bits of IPv6 that one site may have to itself
/// (RFC 6177 §2), since whoever has such a site has 65,536 networks of one host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Site(IpAddr);

impl Site {
    pub(super) const fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(v4) => IpAddr::V4(v4),
            IpAddr::V6(v6) => {
                let [a, b, c, ..] = v6.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
            }
        })
    }
}

/// What is remembered of one network at one account.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Visitor {
    tally: Tally,
    place: Option<(Guest, Timestamp)>,
    /// In which row the place was that it tried in last.
    taken: Option<Guest>,
    proven: Option<Timestamp>,
}

impl Visitor {
    /// Whether the password was right from here within the last days: then what strangers do is no matter.
    pub(super) fn is_proven(&self, now: Timestamp) -> bool {
        self.proven.is_some_and(|at| at.plus_seconds(PROVEN_S) > now)
    }

    /// How long this network has to wait for what it did itself, or for its place.
    pub(super) fn wait_ms(&self, now: Timestamp) -> i64 {
        match self.place(now) {
            Some(due) => due.millis() - now.millis(),
            None => self.tally.wait_ms(OWN, now),
        }
    }

    /// The place that is kept for it.
    pub(super) fn place(&self, now: Timestamp) -> Option<Timestamp> {
        self.place.map(|(_, due)| due).filter(|due| due.plus_seconds(KEPT_S) > now)
    }

    /// In which row it waits for a place.
    pub(super) fn guest(&self, now: Timestamp) -> Guest {
        if self.tally.attempts(OWN, now) < NEW { Guest::New } else { Guest::Again }
    }

    /// Holds a place that is due at `due`, or when its own delay is over. The place counts as the attempt, so that
    /// places cannot be taken for nothing.
    pub(super) fn hold(&mut self, guest: Guest, due: Timestamp, now: Timestamp) {
        let own = Timestamp::from_millis(now.millis() + self.tally.wait_ms(OWN, now).max(0));
        let due = due.max(own);
        self.place = Some((guest, due));
        self.tally = self.tally.counted(OWN, due);
    }

    /// Tries now: in its place, or as one that is proven.
    pub(super) fn attempt(&mut self, now: Timestamp) {
        self.taken = self.place.take().map(|(guest, _)| guest);
        self.tally = match self.taken {
            Some(_) => self.tally.made_at(now),
            None => self.tally.counted(OWN, now),
        };
    }

    /// The password was right: begins anew, as one that is proven. In which row its place was, if it had one.
    pub(super) fn succeed(&mut self, now: Timestamp) -> Option<Guest> {
        let taken = self.taken;
        *self = Self { proven: Some(now), ..Self::default() };
        taken
    }
}

impl Entry for Visitor {
    fn is_forgotten(&self, now: Timestamp) -> bool {
        self.tally.attempts(OWN, now) == 0 && self.place(now).is_none() && !self.is_proven(now)
    }

    fn worth(&self, now: Timestamp) -> (bool, u32, Option<Timestamp>) {
        (self.is_proven(now), self.tally.attempts(OWN, now), self.tally.last().max(self.proven))
    }
}
