//! Attempts to enter a password, counted per account and per address: guessing is slowed down, and nobody is kept out.
//!
//! Three counts hold at once. A host has a delay that grows, over all accounts. So has each network at each account. And
//! all networks that have not proved themselves share what one account may be tried at ([`lane`]): not by whoever comes
//! first, since then one who always comes is alone, but by places, which are given once and kept. A network that the
//! password was right from lately needs none. docs/threat-model.md says what this leaves open.

mod bounded;
mod lane;
mod steady;
mod tally;
#[cfg(test)]
mod tests;
mod visitor;

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use countersign_core::net::network::Network;
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;

use bounded::Bounded;
use lane::Lane;
use steady::Steady;
use tally::{HOST, Tally};
use visitor::{Site, Visitor};

/// The counts, in memory; a restart forgets them.
#[derive(Debug, Default)]
pub struct Attempts {
    counts: Mutex<Counts>,
}

impl Attempts {
    /// Counts an attempt before the password is looked at, so that many at once are no way around; refuses it
    /// when it comes too soon. What is refused is no attempt, and gets a place that is kept for it: who waits as long
    /// as they are told is let through. `account` is counted whether it exists or not.
    pub fn begin(&self, account: &str, address: IpAddr, now: Timestamp) -> Result<(), Problem> {
        self.counts().begin(account, address, now).map_err(|wait_ms| too_soon((wait_ms + 999) / 1000))
    }

    /// The password was right: this network begins anew at this account, and speaks for itself from now on; the host
    /// and all strangers together get this one attempt back.
    pub fn succeeded(&self, account: &str, address: IpAddr) {
        self.counts().succeeded(account, address);
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Default)]
struct Counts {
    clock: Steady,
    hosts: Bounded<Network, Tally>,
    /// By account, as its folded mail address, and network.
    visitors: Bounded<(String, Site), Visitor>,
    lanes: Bounded<String, Lane>,
}

impl Counts {
    /// Lets an attempt through, or tells the milliseconds to wait, more than none.
    fn begin(&mut self, account: &str, address: IpAddr, now: Timestamp) -> Result<(), i64> {
        let now = self.clock.at(now);
        let (host, key) = (Network::of(address), (account.to_owned(), Site::of(address)));
        let (tally, mut visitor) = (self.hosts.get(&host), self.visitors.get(&key));
        let host_wait_ms = tally.wait_ms(HOST, now);
        if host_wait_ms > 0 {
            // It gets no place: that would fill the memory for nothing.
            return Err(host_wait_ms.max(visitor.wait_ms(now)));
        }
        if !visitor.is_proven(now) && visitor.place(now).is_none() {
            let (guest, mut lane) = (visitor.guest(now), self.lanes.get(&key.0));
            visitor.hold(guest, lane.take(guest, now)?, now);
            self.lanes.put(key.0.clone(), lane, now);
        }
        let wait_ms = visitor.wait_ms(now);
        if wait_ms <= 0 {
            visitor.attempt(now);
            self.hosts.put(host, tally.counted(HOST, now), now);
        }
        self.visitors.put(key, visitor, now);
        if wait_ms > 0 { Err(wait_ms) } else { Ok(()) }
    }

    fn succeeded(&mut self, account: &str, address: IpAddr) {
        let Some(now) = self.clock.latest() else { return };
        let (host, key) = (Network::of(address), (account.to_owned(), Site::of(address)));
        let mut visitor = self.visitors.get(&key);
        if let Some(guest) = visitor.succeed(now) {
            let mut lane = self.lanes.get(&key.0);
            lane.give_back(guest);
            self.lanes.put(key.0.clone(), lane, now);
        }
        self.visitors.put(key, visitor, now);
        self.hosts.put(host, self.hosts.get(&host).given_back(), now);
    }
}

fn too_soon(seconds: i64) -> Problem {
    Problem::new(Code::RateLimited, "Too many attempts to sign in.")
        .next(format!("Wait {seconds} seconds, then try again."))
        .fact("retry_after_s", seconds)
}
