//! Who is slowed down and by how much, and that nobody can keep another out.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::bounded::REMEMBERED;
use super::*;

const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const ADA: &str = "ada@x.org";
const DAY_S: i64 = 24 * 60 * 60;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds * 1000)
}

fn other(n: u32) -> IpAddr {
    IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + n))
}

fn network_of_ipv6(site: u16, network: u16) -> IpAddr {
    IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, site, network, 0, 0, 0, 1))
}

/// The seconds to wait; none, if the attempt was let through.
fn wait(attempts: &Attempts, account: &str, address: IpAddr, now: i64) -> i64 {
    let Err(refused) = attempts.begin(account, address, at(now)) else { return 0 };
    assert_eq!(refused.code, Code::RateLimited);
    refused.facts["retry_after_s"].as_i64().unwrap()
}

/// Networks that nobody knows use up what is there for them, at second 0.
fn flooded(account: &str) -> Attempts {
    let attempts = Attempts::default();
    for n in 0..20 {
        attempts.begin(account, other(n), at(0)).unwrap();
    }
    attempts
}

#[test]
fn the_delay_of_a_network_doubles_after_five_attempts_up_to_a_quarter_of_an_hour() {
    let attempts = Attempts::default();
    for _ in 0..5 {
        attempts.begin(ADA, HOME, at(0)).unwrap();
    }
    let mut now = 0;
    for delay in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
        assert_eq!(wait(&attempts, ADA, HOME, now), delay);
        now += delay;
        attempts.begin(ADA, HOME, at(now)).unwrap();
    }
}

#[test]
fn the_delay_of_a_host_over_all_accounts_grows_to_a_minute_and_a_quarter_of_an_hour_forgets() {
    let attempts = Attempts::default();
    let mut now = 0;
    for (n, delay) in [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60].into_iter().enumerate() {
        let account = format!("{n}@x.org");
        assert_eq!(wait(&attempts, &account, HOME, now), delay);
        now += delay;
        assert!(delay == 0 || wait(&attempts, &account, HOME, now) == 0);
    }
    assert!(attempts.begin("new@x.org", HOME, at(now)).is_err());
    assert!(attempts.begin("new@x.org", other(1), at(now)).is_ok());
    for n in 0..5 {
        attempts.begin(&format!("late{n}@x.org"), HOME, at(now + 900)).unwrap();
    }
}

#[test]
fn one_stranger_who_never_stops_delays_nobody_else() {
    let attempts = Attempts::default();
    let tried = (0..20_000)
        .filter(|tenth| attempts.begin(ADA, other(9), Timestamp::from_millis(tenth * 100)).is_ok());
    assert!((5..=17).contains(&tried.count()));
    assert_eq!(wait(&attempts, ADA, other(77), 2_000), 0);
}

#[test]
fn who_is_new_is_let_through_after_the_wait_that_is_shown_whatever_others_do_meanwhile() {
    let attempts = flooded(ADA);
    let shown = wait(&attempts, ADA, HOME, 0);
    assert_eq!(shown, 30);
    for moment in 0..=shown {
        for n in 0..100 {
            let _ = attempts.begin(ADA, other(n), at(moment));
        }
        assert_eq!(
            wait(&attempts, ADA, HOME, moment),
            shown - moment,
            "it is the same place at second {moment}"
        );
    }
}

#[test]
fn who_comes_late_still_has_the_place() {
    let attempts = flooded(ADA);
    let late = wait(&attempts, ADA, HOME, 0) + 14 * 60;
    let tried = (100..200).filter(|n| attempts.begin(ADA, other(*n), at(late)).is_ok());
    assert_eq!(tried.count(), 20, "nothing is left for who is new");
    assert_eq!(wait(&attempts, ADA, HOME, late), 0);
}

#[test]
fn networks_that_come_again_and_again_wait_among_their_like() {
    let attempts = Attempts::default();
    for moment in 0..3_600 {
        for n in 0..60 {
            let _ = attempts.begin(ADA, other(n), at(moment));
        }
    }
    assert!(wait(&attempts, ADA, other(1), 3_600) > 0);
    assert_eq!(wait(&attempts, ADA, HOME, 3_600), 0, "sixty attackers delay nobody who is new");
}

#[test]
fn a_network_that_the_password_was_right_from_is_not_delayed_by_others_for_a_week() {
    let attempts = Attempts::default();
    attempts.begin(ADA, HOME, at(0)).unwrap();
    attempts.succeeded(ADA, HOME);
    for (now, is_known) in [(1, true), (7 * DAY_S - 1, true), (7 * DAY_S, false)] {
        for n in 0..1_000 {
            let _ = attempts.begin(ADA, other(n), at(now));
        }
        assert!(wait(&attempts, ADA, network_of_ipv6(7, 7), now) > 0, "who is new waits");
        assert_eq!(wait(&attempts, ADA, HOME, now) == 0, is_known, "at second {now}");
    }
}

#[test]
fn a_network_that_is_known_is_slowed_down_by_its_own_guesses_and_at_this_account_alone() {
    let attempts = flooded("bob@x.org");
    attempts.begin(ADA, HOME, at(0)).unwrap();
    attempts.succeeded(ADA, HOME);
    assert!(wait(&attempts, "bob@x.org", HOME, 0) > 0);
    for _ in 0..5 {
        attempts.begin(ADA, HOME, at(0)).unwrap();
    }
    assert_eq!(wait(&attempts, ADA, HOME, 0), 1);
}

#[test]
fn all_networks_together_have_a_bounded_number_of_attempts_at_one_account() {
    let attempts = Attempts::default();
    let mut let_through = 0;
    for step in 0..240 {
        // 150 come again and again, 50 are new each time.
        for n in (0..150).chain(1_000 + step * 50..1_050 + step * 50) {
            let_through += i32::from(attempts.begin(ADA, other(n), at(i64::from(step) * 30)).is_ok());
        }
    }
    // In two hours: 20 of each row at once, then one each 30 and each 60 seconds.
    assert!((240..=20 + 240 + 20 + 120).contains(&let_through), "{let_through}");
}

#[test]
fn where_too_many_wait_nobody_gets_a_place_and_all_are_told_when_there_is_room() {
    let attempts = flooded(ADA);
    for n in 0..120 {
        assert_eq!(wait(&attempts, ADA, other(1_000 + n), 0), 30 * (i64::from(n) + 1));
    }
    assert_eq!(wait(&attempts, ADA, HOME, 0), 30);
    assert_eq!(wait(&attempts, ADA, HOME, 30), 3_600);
}

#[test]
fn a_clock_that_is_set_back_makes_no_delay_longer() {
    let attempts = flooded(ADA);
    for _ in 0..5 {
        attempts.begin("bob@x.org", HOME, at(7_200)).unwrap();
    }
    assert_eq!(wait(&attempts, "bob@x.org", HOME, 0), 1);
    assert_eq!(wait(&attempts, "bob@x.org", HOME, 1), 0);
    for n in 0..20 {
        attempts.begin("eve@x.org", other(100 + n), at(1)).unwrap();
    }
    assert_eq!(wait(&attempts, "eve@x.org", other(1), -DAY_S), 30);
    assert_eq!(wait(&attempts, "eve@x.org", other(2), -2 * DAY_S), 60);
    assert_eq!(wait(&attempts, "eve@x.org", other(1), 30 - 2 * DAY_S), 0);
    assert_eq!(wait(&attempts, "eve@x.org", other(2), 60 - 2 * DAY_S), 0);
}

#[test]
fn strangers_are_told_the_same_whether_somebody_signs_in_there_or_nobody_can() {
    let told = |is_there: bool| {
        let attempts = Attempts::default();
        let mut told = Vec::new();
        for moment in 0..600 {
            let strangers = if moment == 0 { 0..10 } else { 0..40 };
            told.extend(strangers.map(|n| wait(&attempts, ADA, other(n), moment)));
            if is_there && moment % 60 == 0 {
                attempts.begin(ADA, HOME, at(moment)).unwrap();
                attempts.succeeded(ADA, HOME);
            }
        }
        told
    };
    assert_eq!(told(true), told(false));
}

#[test]
fn addresses_of_one_ipv6_network_are_one_host_and_networks_of_one_site_wait_as_one() {
    let attempts = Attempts::default();
    for n in 0..5_u16 {
        let address = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 1, 0, 0, 0, n));
        attempts.begin(&format!("{n}@x.org"), address, at(0)).unwrap();
    }
    assert!(attempts.begin("a@x.org", network_of_ipv6(0, 1), at(0)).is_err());
    assert!(attempts.begin("a@x.org", network_of_ipv6(0, 2), at(0)).is_ok());
    let tried = (0..1_000).filter(|n| attempts.begin(ADA, network_of_ipv6(5, *n), at(0)).is_ok());
    assert_eq!(tried.count(), 5);
    assert_eq!(wait(&attempts, ADA, network_of_ipv6(6, 1), 0), 0);
}

#[test]
fn success_gives_host_and_strangers_one_attempt_back() {
    let attempts = Attempts::default();
    for n in 0..4 {
        attempts.begin(ADA, other(n), at(0)).unwrap();
        attempts.begin("own@x.org", HOME, at(0)).unwrap();
    }
    attempts.begin(ADA, HOME, at(0)).unwrap();
    attempts.succeeded(ADA, HOME);
    attempts.begin(ADA, HOME, at(0)).unwrap();
    assert_eq!(
        wait(&attempts, "new@x.org", HOME, 0),
        1,
        "an attacker with an account of their own is counted on"
    );
    for n in 0..50 {
        attempts.begin("ci@x.org", other(100 + n), at(0)).unwrap();
        attempts.succeeded("ci@x.org", other(100 + n));
    }
}

#[test]
fn a_flood_takes_bounded_memory_and_pushes_out_neither_who_is_guessed_at_nor_who_is_known() {
    let attempts = flooded(ADA);
    attempts.begin(ADA, HOME, at(0)).unwrap_err();
    attempts.begin("bob@x.org", HOME, at(0)).unwrap();
    attempts.succeeded("bob@x.org", HOME);
    for n in 0..40_000 {
        attempts.begin(&format!("{n}@x.org"), other(1_000 + n), at(0)).unwrap();
    }
    let counts = attempts.counts();
    for held in [counts.hosts.len(), counts.visitors.len(), counts.lanes.len()] {
        assert!(held <= REMEMBERED, "{held}");
    }
    assert!(counts.visitors.get(&("bob@x.org".to_owned(), Site::of(HOME))).is_proven(at(0)));
    assert_eq!(counts.visitors.get(&(ADA.to_owned(), Site::of(HOME))).place(at(0)), Some(at(30)));
    drop(counts);
    assert!(wait(&attempts, ADA, other(7), 0) > 0, "the account is not forgotten");
    assert_eq!(wait(&attempts, ADA, HOME, 30), 0, "nor is the place");
}
