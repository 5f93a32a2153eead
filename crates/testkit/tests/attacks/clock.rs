//! Attacks with the clock: it is set back and forward under a running server, by an operator, by time synchronisation,
//! or by whoever controls that.

use std::net::Ipv4Addr;

use countersign_testkit::browser::{Browser, Page};
use countersign_testkit::house::{MAIL, PASSWORD};
use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::clocked::Clocked;

const HOUR: i64 = 60 * 60;
const MINUTES_30: i64 = 30 * 60;

impl Clocked {
    /// One attempt at a password: the status, and the seconds to wait.
    async fn guess(&self, password: &str) -> (u16, i64) {
        self.guess_from(Ipv4Addr::LOCALHOST, password).await
    }

    /// The state of the audit log, sealed by now.
    async fn audit(&self) -> Value {
        for _ in 0..300 {
            let (_, told) = self.house.api(Method::GET, "/api/v1/audit/verification", None).await;
            if told["verdict"] == "broken" || told["seals"].as_u64().is_some_and(|seals| seals > 0) {
                return told;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        panic!("nothing is sealed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_set_back_locks_nobody_out() {
    let clocked = Clocked::build().await;
    // What is counted from now on is counted for a minute.
    let (status, _) = clocked.house.api(Method::GET, "/api/v1/me", None).await;
    assert!(status.is_success(), "{status}");
    while clocked.guess("not the password").await.0 != 429 {}
    clocked.set(-2 * HOUR);
    let (status, wait) = clocked.guess(PASSWORD).await;
    assert_eq!(status, 429, "the delay stands");
    assert!((1..=60).contains(&wait), "it is a delay and no lock: {wait} s");
    clocked.set(-2 * HOUR + 61);
    let (status, _) = clocked.guess(PASSWORD).await;
    assert!((200..300).contains(&status), "waiting always helps: {status}");
    // Nor does the count of calls last until the old time comes again.
    clocked.set(-4 * HOUR);
    let request = Client::new().get(format!("{}/api/v1/me", clocked.house.server.url));
    let answer = request.bearer_auth(&clocked.house.token).send().await.unwrap();
    let reset = answer.headers()["x-ratelimit-reset"].to_str().unwrap().parse::<i64>().unwrap();
    assert!(answer.status().is_success() && reset <= 60, "{} {reset}", answer.status());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_set_back_opens_no_sudo_window_again() {
    let mut clocked = Clocked::build().await;
    let mut owner = Browser::signed_in(&clocked.house.server.url, MAIL, PASSWORD).await;
    let asks = |page: &Page| page.body.contains("Confirm who you are");
    let make = [("name", "t"), ("scope", "proposals:decide"), ("hours", "1")];
    let tokens = owner.get("/tokens").await;
    clocked.set(-HOUR);
    let back = owner.submit(&tokens, "/tokens", &make).await;
    assert!(asks(&back), "{} {}", back.status, back.body);
    clocked.set(11 * 60);
    let late = owner.submit(&tokens, "/tokens", &make).await;
    assert!(asks(&late), "{} {}", late.status, late.body);
    clocked.set(0);
    let now = owner.submit(&tokens, "/tokens", &make).await;
    assert!(!asks(&now) && now.status.is_success(), "{} {}", now.status, now.body);
    clocked.set(13 * HOUR);
    let idle = clocked.house.owner.get("/tokens").await;
    assert!(idle.find_form("/sign-in").is_some(), "a session that rested is over: {}", idle.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn proposals_and_seals_hold_however_the_clock_moves() {
    let clocked = Clocked::build().await;
    let house = &clocked.house;
    let now = house.propose("made-now-0001", "now.txt", "x\n").await;
    clocked.set(-3 * HOUR);
    let earlier = house.propose("made-earlier-1", "earlier.txt", "x\n").await;
    let (status, body) = house.approve(&now).await.unwrap();
    assert_eq!(status.as_u16(), 200, "decided before it was made, by the clock: {body}");
    clocked.set(MINUTES_30);
    let (status, body) = house.approve(&earlier).await.unwrap();
    assert_eq!((status.as_u16(), &body["code"]), (409, &json!("proposal_expired")), "{body}");
    let late = house.propose("made-late-0001", "late.txt", "x\n").await;
    clocked.set(MINUTES_30 + 11 * 60);
    let (status, body) = house.approve(&late).await.unwrap();
    assert_eq!((status.as_u16(), &body["code"]), (409, &json!("proposal_expired")), "{body}");
    clocked.set(0);
    let (status, body) = house.approve(&late).await.unwrap();
    assert_eq!(
        (status.as_u16(), &body["code"]),
        (409, &json!("proposal_expired")),
        "what is over stays so: {body}"
    );
    let (status, body) = house.approve(&now).await.unwrap();
    assert_eq!((status.as_u16(), &body["replayed"]), (200, &json!(true)), "{body}");
    let told = clocked.audit().await;
    assert_eq!(told["verdict"], "intact", "{told}");
}
