//! Attempts to enter a password, counted per account and per address: the delay grows, and never locks out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use countersign_core::net::network::Network;
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;

/// Attempts without any delay.
const FREE: u32 = 5;
/// The longest delay between two attempts.
const LONGEST_S: i64 = 60;
/// After so long without an attempt, the count begins anew.
const FORGET_MS: i64 = 15 * 60 * 1000;
/// How many accounts and addresses are remembered at most.
const REMEMBERED: usize = 10_000;

/// Who is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// An account, whether it exists or not, by its folded mail address.
    Account(String),
    /// A host.
    Host(Network),
}

#[derive(Clone, Copy, Debug)]
struct Tally {
    attempts: u32,
    last: Timestamp,
}

/// The counts, in memory; a restart forgets them.
#[derive(Debug, Default)]
pub struct Attempts {
    tallies: Mutex<HashMap<Key, Tally>>,
}

impl Attempts {
    /// Counts an attempt before the password is looked at, so that many at once are no way around; refuses it
    /// when it comes too soon. A refused attempt does not count: waiting always helps.
    pub fn begin(&self, account: &str, address: IpAddr, now: Timestamp) -> Result<(), Problem> {
        let keys = [Key::Account(account.to_owned()), Key::Host(Network::of(address))];
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        for key in &keys {
            if let Some(tally) = tallies.get_mut(key) {
                // Where the clock was set back since, the delay counts from now: it is never a lock.
                tally.last = tally.last.min(now);
            }
        }
        let wait_ms = keys.iter().filter_map(|key| tallies.get(key)).map(|tally| tally.wait_ms(now)).max();
        if let Some(wait_ms) = wait_ms.filter(|ms| *ms > 0) {
            return Err(too_soon((wait_ms + 999) / 1000));
        }
        for key in keys {
            make_room(&mut tallies, &key, now);
            let tally = tallies.entry(key).or_insert(Tally { attempts: 0, last: now });
            let attempts = if tally.is_forgotten(now) { 0 } else { tally.attempts };
            *tally = Tally { attempts: attempts.saturating_add(1), last: now };
        }
        Ok(())
    }

    /// The password was right: the account begins anew, and the address gets this one attempt back.
    pub fn succeeded(&self, account: &str, address: IpAddr) {
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        tallies.remove(&Key::Account(account.to_owned()));
        if let Some(tally) = tallies.get_mut(&Key::Host(Network::of(address))) {
            tally.attempts = tally.attempts.saturating_sub(1);
        }
    }
}

impl Tally {
    fn wait_ms(&self, now: Timestamp) -> i64 {
        if self.attempts < FREE || self.is_forgotten(now) {
            return 0;
        }
        let doublings = (self.attempts - FREE).min(16);
        let delay_s = (1_i64 << doublings).min(LONGEST_S);
        self.last.plus_seconds(delay_s).millis() - now.millis()
    }

    const fn is_forgotten(&self, now: Timestamp) -> bool {
        now.millis() - self.last.millis() >= FORGET_MS
    }
}

/// Keeps the map bounded: what is forgotten goes first, then the fewest attempts, so that a flood of invented
/// accounts does not push out one that is being guessed at.
fn make_room(tallies: &mut HashMap<Key, Tally>, key: &Key, now: Timestamp) {
    if tallies.len() < REMEMBERED || tallies.contains_key(key) {
        return;
    }
    tallies.retain(|_, tally| !tally.is_forgotten(now));
    if tallies.len() < REMEMBERED {
        return;
    }
    let least =
        tallies.iter().min_by_key(|(_, tally)| (tally.attempts, tally.last)).map(|(key, _)| key.clone());
    if let Some(least) = least {
        tallies.remove(&least);
    }
}

fn too_soon(seconds: i64) -> Problem {
    Problem::new(Code::RateLimited, "Too many attempts to sign in.")
        .next(format!("Wait {seconds} seconds, then try again."))
        .fact("retry_after_s", seconds)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1000)
    }

    fn other(n: u32) -> IpAddr {
        IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + n))
    }

    #[test]
    fn the_delay_doubles_after_five_attempts_up_to_a_minute() {
        let attempts = Attempts::default();
        for _ in 0..5 {
            attempts.begin("ada@x.org", HOME, at(0)).unwrap();
        }
        let mut now = 0;
        for delay in [1, 2, 4, 8, 16, 32, 60, 60] {
            let refused = attempts.begin("ada@x.org", HOME, at(now)).unwrap_err();
            assert_eq!((refused.code, &refused.facts["retry_after_s"]), (Code::RateLimited, &delay.into()));
            now += delay;
            attempts.begin("ada@x.org", HOME, at(now)).unwrap();
        }
    }

    #[test]
    fn a_clock_that_is_set_back_makes_no_delay_longer() {
        let attempts = Attempts::default();
        for _ in 0..5 {
            attempts.begin("ada@x.org", HOME, at(7_200)).unwrap();
        }
        let refused = attempts.begin("ada@x.org", HOME, at(0)).unwrap_err();
        assert_eq!(refused.facts["retry_after_s"], 1);
        assert!(attempts.begin("ada@x.org", HOME, at(1)).is_ok());
    }

    #[test]
    fn an_account_is_counted_over_all_addresses_and_an_address_over_all_accounts() {
        let attempts = Attempts::default();
        for n in 0..5 {
            attempts.begin("ada@x.org", other(n), at(0)).unwrap();
            attempts.begin(&format!("{n}@x.org"), HOME, at(0)).unwrap();
        }
        assert!(attempts.begin("ada@x.org", other(99), at(0)).is_err());
        assert!(attempts.begin("99@x.org", HOME, at(0)).is_err());
        assert!(attempts.begin("99@x.org", other(99), at(0)).is_ok());
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one_address() {
        let attempts = Attempts::default();
        for n in 0..5_u16 {
            let address = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 1, 0, 0, 0, n));
            attempts.begin(&format!("{n}@x.org"), address, at(0)).unwrap();
        }
        let near = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 1, 9, 9, 9, 9));
        let far = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 2, 0, 0, 0, 0));
        assert!(attempts.begin("a@x.org", near, at(0)).is_err());
        assert!(attempts.begin("a@x.org", far, at(0)).is_ok());
    }

    #[test]
    fn success_clears_the_account_but_gives_an_address_one_attempt_back() {
        let attempts = Attempts::default();
        for n in 0..4 {
            attempts.begin("ada@x.org", other(n), at(0)).unwrap();
            attempts.begin("own@x.org", HOME, at(0)).unwrap();
        }
        attempts.begin("ada@x.org", HOME, at(0)).unwrap();
        attempts.succeeded("ada@x.org", HOME);
        attempts.begin("ada@x.org", HOME, at(0)).unwrap();
        let refused = attempts.begin("new@x.org", HOME, at(0));
        assert!(refused.is_err(), "an attacker with an account of their own is counted on");
        assert!(attempts.begin("ada@x.org", other(9), at(0)).is_ok());
    }

    #[test]
    fn a_quarter_of_an_hour_forgets() {
        let attempts = Attempts::default();
        for _ in 0..5 {
            attempts.begin("ada@x.org", HOME, at(0)).unwrap();
        }
        for _ in 0..5 {
            attempts.begin("ada@x.org", HOME, at(900)).unwrap();
        }
        assert!(attempts.begin("ada@x.org", HOME, at(900)).is_err());
    }

    #[test]
    fn a_flood_of_invented_accounts_pushes_out_no_account_that_is_being_guessed_at() {
        let attempts = Attempts::default();
        for n in 0..5 {
            attempts.begin("ada@x.org", other(n), at(0)).unwrap();
        }
        for n in 0..6_000 {
            attempts.begin(&format!("{n}@x.org"), other(1_000 + n), at(0)).unwrap();
        }
        assert!(attempts.begin("ada@x.org", other(7), at(0)).is_err());
        assert_eq!(attempts.tallies.lock().unwrap().len(), REMEMBERED);
    }
}
