//! Attacks with calls that wait: what let one in ends while it waits, and it must change nothing any more.

use std::time::Duration;

use countersign_testkit::data::Engine;
use countersign_testkit::house::{EVERY_SCOPE, House, MAIL, PASSWORD, make_token};
use countersign_testkit::repo::commits;
use countersign_testkit::server::Options;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

const BEA: (&str, &str) = ("bea@countersign.example", "correct horse battery bea");

/// A house with a maintainer beside its owner.
struct Late {
    house: House,
    person: String,
}

impl Late {
    async fn build(engine: Engine) -> Self {
        let house = House::build(engine, &Options::default()).await;
        house.add_member("maintainer", BEA).await;
        let (_, people) = house.api(Method::GET, "/api/v1/people", None).await;
        let bea = people["items"].as_array().unwrap().iter().find(|person| person["mail"] == BEA.0).unwrap();
        let person = bea["user_id"].as_str().unwrap().to_owned();
        Self { house, person }
    }

    /// Approves with a token while the repository is held, and ends what lets it in meanwhile; the answer.
    async fn approve_and(&self, proposal: &str, token: &str, ends: (Method, String)) -> (StatusCode, Value) {
        let lock = self.house.data.repositories().join(format!("{}.lock", self.house.repository));
        let held = std::fs::File::open(lock).unwrap();
        rustix::fs::flock(&held, rustix::fs::FlockOperation::LockExclusive).unwrap();
        let url = format!("{}/api/v1/proposals/{proposal}/approve", self.house.server.url);
        let request = Client::new().post(url).bearer_auth(token).json(&json!({}));
        let waits = tokio::spawn(async move {
            let answer = request.send().await.unwrap();
            (answer.status(), answer.json().await.unwrap())
        });
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(!waits.is_finished(), "it waits for the repository");
        let (status, body) = self.house.api(ends.0, &ends.1, None).await;
        assert!(status.is_success(), "{status} {body}");
        drop(held);
        waits.await.unwrap()
    }
}

async fn nothing_lands_for_who_may_no_longer(engine: Engine) {
    let late = Late::build(engine).await;
    let before = commits(&late.house.bare()).await;
    let proposal = late.house.propose("late-approval-1", "late.txt", "x\n").await;
    let token = make_token(&late.house.server.url, BEA, EVERY_SCOPE).await;
    let shut_out = (Method::PUT, format!("/api/v1/people/{}/shut-out", late.person));
    let (status, told) = late.approve_and(&proposal, &token, shut_out).await;
    assert_eq!((status.as_u16(), told["code"].as_str()), (401, Some("unauthenticated")), "{told}");
    let (_, shown) = late.house.api(Method::GET, &format!("/api/v1/proposals/{proposal}"), None).await;
    assert_eq!(shown["status"], "pending", "{shown}");
    assert_eq!(commits(&late.house.bare()).await, before, "nothing landed");
    // Who still may lands it.
    let (status, body) = late.house.approve(&proposal).await.unwrap();
    assert_eq!(status.as_u16(), 200, "{body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_that_waits_lands_nothing_for_who_was_shut_out_on_sqlite() {
    nothing_lands_for_who_may_no_longer(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_that_waits_lands_nothing_for_who_was_shut_out_on_postgres() {
    nothing_lands_for_who_may_no_longer(Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_that_waits_lands_nothing_for_a_token_that_was_revoked() {
    let late = Late::build(Engine::Sqlite).await;
    let before = commits(&late.house.bare()).await;
    let proposal = late.house.propose("late-approval-2", "late.txt", "x\n").await;
    let token = make_token(&late.house.server.url, (MAIL, PASSWORD), "api proposals:decide").await;
    let (_, tokens) = late.house.api(Method::GET, "/api/v1/tokens", None).await;
    let newest = tokens["items"][0]["id"].as_str().unwrap().to_owned();
    let (status, told) =
        late.approve_and(&proposal, &token, (Method::DELETE, format!("/api/v1/tokens/{newest}"))).await;
    assert_eq!((status.as_u16(), told["code"].as_str()), (401, Some("unauthenticated")), "{told}");
    assert_eq!(commits(&late.house.bare()).await, before, "nothing landed");
}
