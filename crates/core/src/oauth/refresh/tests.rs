//! Refresh: each rule, and random histories of one family against a reference model.

use proptest::prelude::*;

use super::*;
use crate::scope::Scope;

const ROTATED: Timestamp = Timestamp::from_millis(1_000_000);
const CLAIM: RefreshClaim<'_> = RefreshClaim { client_id: "a", resource: "r", scopes: None };

fn both() -> Scopes {
    Scopes::new([Scope::Read, Scope::Write])
}

fn fresh() -> RefreshFacts {
    RefreshFacts {
        client_id: "a".to_owned(),
        resource: "r".to_owned(),
        scopes: both(),
        expires_at: ROTATED.plus_seconds(IDLE_SECONDS),
        revoked: false,
        rotation: None,
    }
}

fn rotated(replays: i64, exchanged: bool, presented: bool) -> RefreshFacts {
    let rotation = Rotation {
        at: ROTATED,
        replays,
        scopes: both(),
        successor_exchanged: exchanged,
        successor_presented: presented,
    };
    RefreshFacts { rotation: Some(rotation), ..fresh() }
}

fn after(seconds: i64) -> Timestamp {
    ROTATED.plus_seconds(seconds)
}

#[test]
fn a_fresh_token_rotates_and_asking_only_narrows() {
    assert_eq!(decide(ROTATED, &fresh(), CLAIM), Decision::Rotate(both()));
    let (read, run) = (Scopes::new([Scope::Read]), Scopes::new([Scope::Run]));
    let wide = Scopes::new(Scope::ALL);
    for (asked, decided) in [
        (&read, Decision::Rotate(read.clone())),
        (&wide, Decision::Rotate(both())),
        (&run, Decision::RefuseScope),
    ] {
        assert_eq!(decide(ROTATED, &fresh(), RefreshClaim { scopes: Some(asked), ..CLAIM }), decided);
    }
}

#[test]
fn within_a_minute_the_answer_is_given_again_twenty_times() {
    for presented in [false, true] {
        assert_eq!(decide(after(59), &rotated(19, false, presented), CLAIM), Decision::Replay);
        assert_eq!(decide(after(59), &rotated(20, false, presented), CLAIM), Decision::RevokeFamily);
    }
}

#[test]
fn after_a_minute_only_a_lost_answer_is_given_again() {
    assert_eq!(decide(after(60), &rotated(0, false, true), CLAIM), Decision::RevokeFamily);
    assert_eq!(decide(after(3_599), &rotated(20, false, false), CLAIM), Decision::Replay);
}

#[test]
fn an_answer_that_was_lost_until_its_access_token_died_is_renewed() {
    for seconds in [3_600, 86_400] {
        assert_eq!(decide(after(seconds), &rotated(20, false, false), CLAIM), Decision::Renew(both()));
        assert_eq!(decide(after(seconds), &rotated(0, false, true), CLAIM), Decision::RevokeFamily);
        assert_eq!(decide(after(seconds), &rotated(0, true, false), CLAIM), Decision::RevokeFamily);
        let read = Scopes::new([Scope::Read]);
        let narrower = RefreshClaim { scopes: Some(&read), ..CLAIM };
        assert_eq!(decide(after(seconds), &rotated(0, false, false), narrower), Decision::RefuseScope);
    }
}

#[test]
fn once_the_successor_was_exchanged_the_old_one_ends_the_family() {
    for seconds in [0, 59, 60, 86_400] {
        assert_eq!(
            decide(after(seconds), &rotated(0, true, true), CLAIM),
            Decision::RevokeFamily,
            "{seconds}"
        );
    }
}

#[test]
fn a_stranger_or_a_dead_token_changes_nothing() {
    for facts in [fresh(), rotated(0, false, false), rotated(0, true, true)] {
        assert_eq!(decide(ROTATED, &facts, RefreshClaim { client_id: "b", ..CLAIM }), Decision::Refuse);
        assert_eq!(decide(ROTATED, &facts, RefreshClaim { resource: "other", ..CLAIM }), Decision::Refuse);
        assert_eq!(
            decide(ROTATED, &RefreshFacts { revoked: true, ..facts.clone() }, CLAIM),
            Decision::Refuse
        );
        assert_eq!(decide(after(IDLE_SECONDS), &facts, CLAIM), Decision::Refuse);
    }
}

#[test]
fn a_replay_for_other_scopes_gives_nothing_and_changes_nothing() {
    let read = Scopes::new([Scope::Read]);
    let claim = RefreshClaim { scopes: Some(&read), ..CLAIM };
    assert_eq!(decide(after(1), &rotated(0, false, false), claim), Decision::RefuseScope);
    assert_eq!(decide(after(1), &rotated(0, true, true), claim), Decision::RevokeFamily);
}

/// One token of the chain as the machine under test keeps it.
#[derive(Clone, Debug, Default)]
struct Link {
    rotated: Option<i64>,
    /// The token that it was exchanged for, by its place in the chain.
    next: usize,
    replays: i64,
    refresh_presented: bool,
    access_presented: bool,
}

#[derive(Clone, Debug)]
enum Step {
    /// Present the refresh token that is `back` links behind the newest.
    Refresh {
        back: usize,
    },
    /// Present the access token that came with the refresh token `back` links behind the newest.
    Call {
        back: usize,
    },
    Wait {
        seconds: i64,
    },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0usize..3).prop_map(|back| Step::Refresh { back }),
        2 => (0usize..3).prop_map(|back| Step::Call { back }),
        2 => prop::sample::select(vec![1i64, 30, 59, 60, 61, 3600]).prop_map(|seconds| Step::Wait { seconds }),
    ];
    prop::collection::vec(step, 0..60)
}

proptest! {
    /// Whatever happens: a dead family stays dead, a live one has one newest token that always
    /// rotates, no token ever has two successors, and only who held two generations ends it.
    #[test]
    fn a_family_has_one_tip_and_ends_only_by_reuse(steps in steps()) {
        let mut chain = vec![Link::default()];
        let (mut now, mut dead) = (0i64, false);
        for step in steps {
            match step {
                Step::Wait { seconds } => now += seconds,
                Step::Call { back } => {
                    let at = chain.len().saturating_sub(back + 1);
                    chain[at].access_presented = true;
                }
                Step::Refresh { back } => {
                    let at = chain.len().saturating_sub(back + 1);
                    let tip = at + 1 == chain.len();
                    let decision = decide(Timestamp::from_millis(now * 1000), &facts(&chain, at, dead), CLAIM);
                    prop_assert_eq!(decision == Decision::Refuse, dead);
                    prop_assert_eq!(matches!(decision, Decision::Rotate(_)), tip && !dead);
                    chain[at].refresh_presented = true;
                    match decision {
                        Decision::Rotate(_) => {
                            chain[at].rotated = Some(now);
                            chain[at].next = chain.len();
                            chain.push(Link::default());
                        }
                        Decision::Renew(_) => {
                            let lost = chain[at].next;
                            prop_assert_eq!(lost + 1, chain.len(), "only the last answer is renewed");
                            prop_assert!(now - chain[at].rotated.unwrap() >= 3600);
                            prop_assert!(!chain[lost].refresh_presented && !chain[lost].access_presented);
                            for link in [at, lost] {
                                chain[link].rotated = Some(now);
                                chain[link].next = chain.len();
                                chain[link].replays = 0;
                            }
                            chain.push(Link::default());
                        }
                        Decision::Replay => {
                            prop_assert_eq!(chain[at].next + 1, chain.len(), "only the last answer is given again");
                            let age = now - chain[at].rotated.unwrap();
                            prop_assert!(age < 3600, "never with a dead access token");
                            let next = &chain[chain[at].next];
                            prop_assert!(age < 60 || !(next.refresh_presented || next.access_presented));
                            chain[at].replays += i64::from(age < 60);
                            prop_assert!(chain[at].replays <= 20);
                        }
                        Decision::RevokeFamily => {
                            let next = &chain[chain[at].next];
                            let arrived = next.refresh_presented || next.access_presented;
                            // Of an answer that was renewed over, the refresh token was rotated for whoever had lost it.
                            prop_assert!(arrived || next.rotated.is_some() || chain[at].replays >= 20, "a lost answer never ends a family");
                            dead = true;
                        }
                        Decision::Refuse => {}
                        Decision::RefuseScope => prop_assert!(false, "no scopes were asked for"),
                    }
                }
            }
        }
    }
}

fn facts(chain: &[Link], at: usize, dead: bool) -> RefreshFacts {
    let rotation = chain[at].rotated.map(|seconds| {
        let next = &chain[chain[at].next];
        Rotation {
            at: Timestamp::from_millis(seconds * 1000),
            replays: chain[at].replays,
            scopes: both(),
            successor_exchanged: next.rotated.is_some(),
            successor_presented: next.refresh_presented || next.access_presented,
        }
    });
    RefreshFacts { rotation, revoked: dead, expires_at: Timestamp::from_millis(i64::MAX / 2), ..fresh() }
}
