//! The first day: a power cut before there is a repository, whose making syncs everything by the way.

use countersign_testkit::agent::Agent;
use countersign_testkit::browser::Browser;
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::{EVERY_SCOPE, MAIL, PASSWORD, SCOPE, make_token, set_up};
use countersign_testkit::power::{Deaf, Power};
use countersign_testkit::server::{Options, Ships, TestServer};
use reqwest::Client;
use serde_json::Value;

use crate::survives;

/// Seals are made every five seconds, and at a stop.
async fn sealed(base: &str, token: &str) -> Value {
    let ask = async {
        loop {
            let verification = format!("{base}/api/v1/audit/verification");
            let answer = Client::new().get(verification).bearer_auth(token).send().await.unwrap();
            let verdict: Value = answer.json().await.unwrap();
            if verdict["verdict"] == "broken" || verdict["seals"].as_u64().is_some_and(|seals| seals > 0) {
                return verdict;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_mins(1), ask).await.expect("something is sealed")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keys_of_a_new_server_outlive_the_power_as_what_was_signed_with_them_does() {
    for trial in 0..3 {
        let data = Data::new(Engine::Sqlite).await;
        let power = Power::of(&data.folder());
        let options = Options {
            ships: Ships::Unclaimed,
            git: Some(power.git(Deaf::No)),
            variables: power.variables(Deaf::No),
            ..Options::default()
        };
        let mut server = TestServer::start(&data, &options).await;
        let mut owner = Browser::new(&server.url);
        set_up(&server, &mut owner).await;
        let token = make_token(&server.url, (MAIL, PASSWORD), EVERY_SCOPE).await;
        let agent = Agent::connect(&server.url, &mut owner, "Agent", PASSWORD, SCOPE).await;
        let before = sealed(&server.url, &token).await;
        assert_eq!(before["verdict"], "intact", "{before}");

        power.cut();
        server.kill().await;
        power.restore(survives(trial));
        let options = Options { ships: Ships::Claimed, port: server.port, ..options };
        server = TestServer::start(&data, &options).await;

        // The client's id is signed, the agent's token and the owner's session are rows, and the seals are signed.
        let renewed = Client::new()
            .post(&agent.token_endpoint)
            .form(&[
                ("grant_type", "refresh_token"),
                ("client_id", &agent.client_id),
                ("refresh_token", &agent.refresh),
            ])
            .send()
            .await
            .unwrap();
        let what = survives(trial);
        assert_eq!(renewed.status().as_u16(), 200, "{what:?}: {}", renewed.text().await.unwrap());
        let page = owner.get("/connected").await;
        assert!(page.status.is_success() && page.body.contains("Agent"), "{what:?}: {}", page.body);
        let after = sealed(&server.url, &token).await;
        assert_eq!(after["verdict"], "intact", "{what:?}: {after}");
    }
}
