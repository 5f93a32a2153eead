//! The rate limit: calls in a fixed window, per connection or address, in memory, per server.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use countersign_core::caller::{Caller, Principal};
use countersign_core::id::{ConnectionId, UserId};
use countersign_core::time::Timestamp;

/// How many windows are kept before the ended ones are dropped.
const SWEEP_AT: usize = 10_000;

/// Whose calls are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateKey {
    /// One connection.
    Connection(ConnectionId),
    /// One person, over all their sessions and tokens.
    Person(UserId),
    /// Everybody without a credential at one address.
    Address(IpAddr),
}

impl RateKey {
    /// The key of a caller.
    pub const fn of(caller: &Caller) -> Self {
        match caller.principal {
            Principal::Anonymous { address } => Self::Address(address),
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

struct Window {
    ends: Timestamp,
    calls: u32,
}

/// Counts calls, each by its key. Refused ones count too.
pub struct RateLimit<K = RateKey> {
    limit: u32,
    length_ms: i64,
    windows: Mutex<HashMap<K, Window>>,
}

impl<K: Eq + Hash> RateLimit<K> {
    /// A limit of `limit` calls in each window of `length`.
    pub fn new(limit: u32, length: Duration) -> Self {
        let length_ms = i64::try_from(length.as_millis()).unwrap_or(i64::MAX);
        Self { limit, length_ms, windows: Mutex::default() }
    }

    /// Counts one call.
    pub fn hit(&self, key: K, now: Timestamp) -> Rate {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= SWEEP_AT {
            windows.retain(|_, window| window.ends > now);
        }
        let ends = Timestamp::from_millis(now.millis().saturating_add(self.length_ms));
        let window = windows.entry(key).or_insert(Window { ends, calls: 0 });
        if window.ends <= now {
            *window = Window { ends, calls: 0 };
        }
        window.calls = window.calls.saturating_add(1);
        Rate {
            limit: self.limit,
            remaining: self.limit.saturating_sub(window.calls),
            reset_s: (window.ends.millis() - now.millis() + 999) / 1000,
            admitted: window.calls <= self.limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: RateKey = RateKey::Address(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));

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
    fn one_address_does_not_use_up_anothers_calls() {
        let rate = RateLimit::new(1, Duration::from_mins(1));
        let now = Timestamp::from_millis(0);
        assert!(rate.hit(KEY, now).admitted);
        assert!(rate.hit(RateKey::Address(std::net::Ipv6Addr::LOCALHOST.into()), now).admitted);
    }
}
