//! The rate limit: calls in a fixed window, per connection or address, in memory, per server.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{ConnectionId, UserId};
use countersign_core::net::network::Network;
use countersign_core::time::Timestamp;

/// How many windows are kept. Of more at once the oldest begin anew: their callers may call a little more, and a flood
/// from everywhere takes no more memory than this.
const MOST: usize = 50_000;
/// How many windows a call drops at most, so that none pays for a flood before it; more than it can begin.
const DROPPED: usize = 4;

/// Whose calls are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateKey {
    /// One connection.
    Connection(ConnectionId),
    /// One person, over all their sessions and tokens.
    Person(UserId),
    /// Everybody without a credential in the network of one host.
    Network(Network),
}

impl RateKey {
    /// The key of a caller.
    pub const fn of(caller: &Caller) -> Self {
        match caller.principal {
            Principal::Anonymous { address } => Self::Network(Network::of(address)),
            Principal::Connection { id, .. } => Self::Connection(id),
            Principal::Session { user, .. } | Principal::Token { user, .. } => Self::Person(user),
        }
    }
}

/// What every answer tells in `X-RateLimit-Limit`, `-Remaining` and `-Reset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Calls in a window.
    pub limit: u32,
    /// Calls left in this one.
    pub remaining: u32,
    /// Seconds until it ends, rounded up.
    pub reset_s: i64,
    /// Whether this call is within the limit.
    pub admitted: bool,
}

impl Rate {
    /// The headers that tell it, in whole numbers.
    pub fn headers(self) -> [(&'static str, i64); 3] {
        [
            ("x-ratelimit-limit", self.limit.into()),
            ("x-ratelimit-remaining", self.remaining.into()),
            ("x-ratelimit-reset", self.reset_s),
        ]
    }
}

struct Window {
    ends: Timestamp,
    calls: u32,
}

struct Windows<K> {
    open: HashMap<K, Window>,
    /// In the order in which they began, which is that in which they end. One that began anew stands in it twice.
    order: VecDeque<(Timestamp, K)>,
}

/// Counts calls, each by its key. Refused ones count too.
pub struct RateLimit<K = RateKey> {
    limit: u32,
    length_ms: i64,
    windows: Mutex<Windows<K>>,
}

impl<K: Eq + Hash + Clone> RateLimit<K> {
    /// A limit of `limit` calls in each window of `length`.
    pub fn new(limit: u32, length: Duration) -> Self {
        let length_ms = i64::try_from(length.as_millis()).unwrap_or(i64::MAX);
        let windows = Windows { open: HashMap::new(), order: VecDeque::new() };
        Self { limit, length_ms, windows: Mutex::new(windows) }
    }

    /// Counts one call.
    pub fn hit(&self, key: K, now: Timestamp) -> Rate {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.drop_some(now);
        let ends = Timestamp::from_millis(now.millis().saturating_add(self.length_ms));
        let Windows { open, order } = &mut *windows;
        let window = match open.entry(key) {
            Entry::Occupied(mut entry) => {
                // One that ends later than any that begins now was begun before the clock was set back.
                if entry.get().ends <= now || entry.get().ends > ends {
                    order.push_back((ends, entry.key().clone()));
                    entry.insert(Window { ends, calls: 0 });
                }
                entry.into_mut()
            }
            Entry::Vacant(entry) => {
                order.push_back((ends, entry.key().clone()));
                entry.insert(Window { ends, calls: 0 })
            }
        };
        window.calls = window.calls.saturating_add(1);
        Rate {
            limit: self.limit,
            remaining: self.limit.saturating_sub(window.calls),
            reset_s: (window.ends.millis() - now.millis() + 999) / 1000,
            admitted: window.calls <= self.limit,
        }
    }
}

impl<K: Eq + Hash> Windows<K> {
    /// Drops some that ended, and the oldest of too many.
    fn drop_some(&mut self, now: Timestamp) {
        for _ in 0..DROPPED {
            let is_over = |(ends, _): &(Timestamp, K)| *ends <= now;
            if self.order.len() < MOST && !self.order.front().is_some_and(is_over) {
                return;
            }
            let Some((ends, key)) = self.order.pop_front() else { return };
            if self.open.get(&key).is_some_and(|window| window.ends == ends) {
                self.open.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    use super::*;

    const KEY: RateKey = RateKey::Network(Network::of(IpAddr::V4(Ipv4Addr::LOCALHOST)));

    fn six(network: u32, host: u16) -> RateKey {
        let [high, low] = [(network >> 16) as u16, (network & 0xffff) as u16];
        let address = Ipv6Addr::new(0x2001, 0xdb8, high, low, 0, 0, 0, host);
        RateKey::of(&Caller::anonymous(address.into()))
    }

    #[test]
    fn the_call_after_the_last_is_refused_until_the_window_ends() {
        let rate = RateLimit::new(2, Duration::from_mins(1));
        let now = Timestamp::from_millis(0);
        assert_eq!(rate.hit(KEY, now), Rate { limit: 2, remaining: 1, reset_s: 60, admitted: true });
        assert!(rate.hit(KEY, now).admitted);
        assert!(!rate.hit(KEY, Timestamp::from_millis(59_999)).admitted);
        assert!(rate.hit(KEY, Timestamp::from_millis(60_000)).admitted);
    }

    #[test]
    fn a_clock_that_is_set_back_makes_no_window_longer() {
        let rate = RateLimit::new(1, Duration::from_mins(1));
        assert!(rate.hit(KEY, Timestamp::from_millis(7_200_000)).admitted);
        let back = rate.hit(KEY, Timestamp::from_millis(0));
        assert_eq!((back.admitted, back.reset_s), (true, 60));
        assert!(!rate.hit(KEY, Timestamp::from_millis(1)).admitted);
    }

    #[test]
    fn one_address_does_not_use_up_anothers_calls() {
        let rate = RateLimit::new(1, Duration::from_mins(1));
        let now = Timestamp::from_millis(0);
        assert!(rate.hit(KEY, now).admitted);
        assert!(rate.hit(six(1, 1), now).admitted);
    }

    #[test]
    fn one_host_of_ipv6_has_one_window_whichever_of_its_addresses_it_takes() {
        let rate = RateLimit::new(10, Duration::from_mins(1));
        let now = Timestamp::from_millis(0);
        let admitted = (0..100).filter(|host| rate.hit(six(1, *host), now).admitted).count();
        assert_eq!(admitted, 10);
        assert!(rate.hit(six(2, 1), now).admitted);
    }

    #[test]
    fn a_flood_from_everywhere_takes_bounded_memory_and_what_ended_is_dropped() {
        let rate = RateLimit::new(10, Duration::from_mins(1));
        let size = || {
            let windows = rate.windows.lock().unwrap();
            (windows.open.len(), windows.order.len())
        };
        for network in 0..60_000 {
            rate.hit(six(network, 1), Timestamp::from_millis(0));
        }
        assert_eq!(size(), (MOST, MOST));
        for _ in 0..MOST {
            rate.hit(KEY, Timestamp::from_millis(60_000));
        }
        assert_eq!(size(), (1, 1));
    }

    #[test]
    fn a_window_that_began_anew_is_not_dropped_for_its_predecessor() {
        let rate = RateLimit::new(1, Duration::from_mins(1));
        for network in 0..9 {
            rate.hit(six(network, 1), Timestamp::from_millis(0));
        }
        // The last of them begins anew while it still waits to be dropped.
        assert!(rate.hit(six(8, 1), Timestamp::from_millis(60_000)).admitted);
        for _ in 0..9 {
            rate.hit(KEY, Timestamp::from_millis(60_001));
        }
        assert!(!rate.hit(six(8, 1), Timestamp::from_millis(60_002)).admitted);
    }
}
