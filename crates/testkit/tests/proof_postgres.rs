//! Must show: PostgreSQL is restarted, in good order and as in a crash, under two servers on one database and one
//! repository folder, while agents propose and an owner approves. Calls succeed or say when to come again, nothing
//! that was answered is lost, and servers and streams go on by themselves.
#![cfg(test)]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use countersign_testkit::agent::{Agent, Answer};
use countersign_testkit::browser::Browser;
use countersign_testkit::cluster::{Cluster, Stop};
use countersign_testkit::data::Data;
use countersign_testkit::house::{House, MAIL, PASSWORD, SCOPE, newest_connection};
use countersign_testkit::live::Live;
use countersign_testkit::repo::{git_ok, holds_in};
use countersign_testkit::server::{Options, TestServer};
use countersign_testkit::trials;
use reqwest::header::HeaderMap;
use reqwest::{Client, Method};
use serde_json::{Value, json};

/// A server that does not come back makes the test hang; this ends it.
const HANG: Duration = Duration::from_mins(2);

/// What the load has seen.
#[derive(Debug, Default)]
struct Seen {
    refused: AtomicUsize,
    stop: AtomicBool,
}

/// A call that came to nothing may only have been told to come again.
async fn wait(seen: &Seen, what: &str, code: &Value) {
    assert_eq!(code, "store_unavailable", "{what}");
    seen.refused.fetch_add(1, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(100)).await;
}

/// And when.
fn says_when(what: &str, status: u16, headers: &HeaderMap) {
    let after = headers.get("retry-after").and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let is_soon = after.is_some_and(|seconds| (1..=60).contains(&seconds));
    assert!(status == 503 && is_soon, "{what}: {status}, Retry-After is {after:?}");
}

/// Proposes under one key until it is taken.
async fn propose(agent: &Agent, import: &Value, seen: &Seen) -> String {
    loop {
        let answer: Answer = agent.call("propose_gitnest_file_import", import.clone()).await;
        if let Some(id) = answer.body["result"]["structuredContent"]["proposal_id"].as_str() {
            return id.to_owned();
        }
        let what = format!("propose: {} {}", answer.status, answer.body);
        // A tool that is refused is a call that went well; a token that cannot be looked up refuses the call.
        if answer.status != 200 {
            says_when(&what, answer.status.as_u16(), &answer.headers);
        }
        wait(seen, &what, &answer.refusal()["code"]).await;
    }
}

/// Approves until it is answered; the commit.
async fn approve(base: &str, token: &str, id: &str, seen: &Seen) -> String {
    let http = Client::new();
    loop {
        let request =
            http.post(format!("{base}/api/v1/proposals/{id}/approve")).bearer_auth(token).json(&json!({}));
        let answer = request.send().await.expect("the server answers");
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let body: Value = answer.json().await.expect("an answer in JSON");
        if status == 200 {
            return body["commit"].as_str().expect("a commit").to_owned();
        }
        let what = format!("approve: {status} {body}");
        says_when(&what, status, &headers);
        if body["code"] == "repository_busy" {
            tokio::time::sleep(Duration::from_millis(100)).await;
        } else {
            wait(seen, &what, &body["code"]).await;
        }
    }
}

/// Writes one commit after another to `lane`, proposed at one server and approved at the other.
async fn write(
    house: &House,
    (agent, lane): (&Agent, &str),
    there: &str,
    seen: &Seen,
) -> Vec<(String, String)> {
    let mut landed = Vec::new();
    while !seen.stop.load(Ordering::Relaxed) {
        let n = landed.len();
        let mut import =
            house.import(&format!("{lane}-{n:06}"), &format!("{lane}/{n}.txt"), &format!("{n}\n"));
        import["branch"] = lane.into();
        let id = propose(agent, &import, seen).await;
        let commit = approve(there, &house.token, &id, seen).await;
        landed.push((id, commit));
    }
    landed
}

async fn is_ready(server: &TestServer) {
    let http = Client::new();
    let ready = tokio::time::timeout(HANG, async {
        loop {
            let answer = http.get(format!("{}/readyz", server.url)).send().await.expect("it answers");
            if answer.status() == 200 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    ready.await.expect("a server comes back by itself");
}

/// A second server of the house, with an agent that is connected there.
async fn second(house: &House) -> (TestServer, Browser, Agent) {
    let server = TestServer::start(&house.data, &Options::default()).await;
    let mut owner = Browser::signed_in(&server.url, MAIL, PASSWORD).await;
    let agent = Agent::connect(&server.url, &mut owner, "Second agent", PASSWORD, SCOPE).await;
    let path = format!("/connected/{}", newest_connection(&mut owner).await);
    let page = owner.get(&path).await;
    let done = owner.submit(&page, &format!("{path}/projects"), &[("project", &house.project)]).await;
    assert!(done.status.is_success(), "{} {}", done.status, done.body);
    (server, owner, agent)
}

async fn restarted_under_load(stop: Stop) {
    let cluster = Cluster::start().await;
    let options = Options::default();
    let mut house = House::build_on(Data::at(cluster.url()), &options).await;
    std::fs::write(house.data.folder().join("config.toml"), "rate_limit = 1000000\n").unwrap();
    house.restart(&options).await;
    let (mut second, owner, agent) = second(&house).await;
    for lane in ["one", "two"] {
        git_ok(&house.bare(), &["branch", lane, "main"]).await;
    }
    let streams = [Live::open(&house.server.url, &house.owner).await, Live::open(&second.url, &owner).await];
    let seen = Seen::default();
    let restarts = trials(3, 15);
    let restarting = async {
        for n in 0..restarts {
            tokio::time::sleep(Duration::from_millis(400 + 170 * u64::try_from(n % 5).unwrap())).await;
            cluster.restart(stop).await;
            is_ready(&house.server).await;
            is_ready(&second).await;
        }
        // The first proposal after the last restart is news on streams that were opened before the first.
        let before = streams.each_ref().map(Live::news);
        for (stream, before) in streams.iter().zip(before) {
            stream.more_than(before).await;
        }
        seen.stop.store(true, Ordering::Relaxed);
    };
    let work = async {
        tokio::join!(
            write(&house, (&house.agent, "one"), &second.url, &seen),
            write(&house, (&agent, "two"), &house.server.url, &seen),
            restarting
        )
    };
    let (one, two, ()) =
        tokio::time::timeout(HANG * u32::try_from(restarts).unwrap(), work).await.expect("it goes on");
    for (lane, landed) in [("one", &one), ("two", &two)] {
        for (id, commit) in landed {
            assert!(
                holds_in(&house.bare(), commit, lane).await,
                "{commit} was answered and is not in {lane}"
            );
            let (_, shown) = house.api(Method::GET, &format!("/api/v1/proposals/{id}"), None).await;
            assert_eq!((&shown["status"], &shown["commit"]), (&json!("executed"), &json!(commit)), "{shown}");
        }
        let commits = git_ok(&house.bare(), &["rev-list", "--count", &format!("main..{lane}")]).await;
        assert_eq!(commits, landed.len().to_string(), "each landed once on {lane}");
    }
    let refused = seen.refused.load(Ordering::Relaxed);
    println!(
        "proof: PostgreSQL is restarted under two servers ({stop:?}): {restarts} restarts, {} approvals, {refused} calls \
         told to come again, 0 lost, both streams went on",
        one.len() + two.len()
    );
    git_ok(&house.bare(), &["fsck", "--strict"]).await;
    assert!(refused > 0 && one.len() + two.len() > restarts, "this showed nothing: {refused}, {}", one.len());
    house.server.kill().await;
    second.kill().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_in_good_order_loses_nothing() {
    restarted_under_load(Stop::Fast).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_as_in_a_crash_loses_nothing() {
    restarted_under_load(Stop::Immediate).await;
}
