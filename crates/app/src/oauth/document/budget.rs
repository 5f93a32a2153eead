//! How many requests to strangers the people of this server may make it send.

use std::time::Duration;

use countersign_core::id::UserId;
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;

use crate::gate::RateLimit;

const MINUTE: Duration = Duration::from_mins(1);
/// Documents that one person has fetched in a minute; fewer than of one host, so that nobody uses a host up alone.
const OF_ONE_PERSON: u32 = 5;
/// Documents that are asked of one host in a minute.
const OF_ONE_HOST: u32 = 10;
/// Of all hosts together.
const OF_ALL: u32 = 60;

/// The limits, from the closest to the widest.
pub(super) struct Budget {
    person: RateLimit<UserId>,
    host: RateLimit<String>,
    all: RateLimit<()>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            person: RateLimit::new(OF_ONE_PERSON, MINUTE),
            host: RateLimit::new(OF_ONE_HOST, MINUTE),
            all: RateLimit::new(OF_ALL, MINUTE),
        }
    }
}

impl Budget {
    /// Counts one request. Each limit counts only what the closer ones admitted: what is never sent is taken from
    /// nobody.
    pub(super) fn admit(&self, person: UserId, host: String, now: Timestamp) -> Result<(), Problem> {
        let mut rate = self.person.hit(person, now);
        if rate.admitted {
            rate = self.host.hit(host, now);
        }
        if rate.admitted {
            rate = self.all.hit((), now);
        }
        if rate.admitted {
            return Ok(());
        }
        Err(Problem::new(Code::RateLimited, "Too many documents of clients are asked for.")
            .next(format!("Wait {} seconds, then load this page again.", rate.reset_s))
            .fact("retry_after_s", rate.reset_s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(0);

    fn person(n: u8) -> UserId {
        UserId::parse(&format!("01900000-0000-7000-8000-0000000000{n:02x}")).unwrap()
    }

    #[test]
    fn whatever_one_person_asks_for_fifty_others_are_served() {
        let budget = Budget::default();
        let admitted = |who, host: String| budget.admit(person(who), host, NOW).is_ok();
        let of_one = (0..100).filter(|n| admitted(0, format!("h{}.example", n % 20))).count();
        assert_eq!(of_one, 5);
        for who in 1..=50 {
            assert!(admitted(who, format!("host{who}.example")), "{who}");
        }
    }

    #[test]
    fn a_host_is_asked_ten_times_whoever_asks_and_all_hosts_sixty_times() {
        let budget = Budget::default();
        let admitted = |who, host: &str| budget.admit(person(who), host.to_owned(), NOW).is_ok();
        let of_one = (0..40).filter(|who| admitted(*who, "busy.example")).count();
        assert_eq!(of_one, 10);
        // The thirty that the host's limit refused were never sent, and are taken from nobody.
        let of_others = (100..200).filter(|who| admitted(*who, &format!("host{who}.example"))).count();
        assert_eq!(of_others, 50);
        assert!(budget.admit(person(0), "busy.example".to_owned(), NOW.plus_seconds(60)).is_ok());
    }
}
