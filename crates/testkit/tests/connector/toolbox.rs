//! Must show: a tool that its owner switches off is neither listed nor called from the very next request on, the page
//! tells the hash of exactly the list that is sent, and a renamed tool is called by its old name and never listed.

use countersign_testkit::agent::Agent;
use countersign_testkit::data::Engine;
use countersign_testkit::house::{House, PASSWORD};
use countersign_testkit::server::Options;
use countersign_testkit::suite::{OLD_NAME, tools};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Sends the form of a switch, or of all of them.
async fn switch(house: &mut House, tool: Option<(&str, &str)>) {
    let path = format!("/connected/{}", house.connection);
    let page = house.owner.get(&path).await;
    let mut fields = page.form(&format!("{path}/projects/")).fields;
    fields.retain(|(name, _)| name == "csrf");
    let way = match tool {
        Some((tool, to)) => {
            fields.extend([("tool".to_owned(), tool.to_owned()), ("to".to_owned(), to.to_owned())]);
            format!("{path}/tools")
        }
        None => format!("{path}/tools/all-on"),
    };
    let done = house.owner.post(&way, &fields).await;
    assert!(done.status.is_success(), "{} {}", done.status, done.body);
}

async fn page(house: &mut House) -> String {
    let path = format!("/connected/{}", house.connection);
    house.owner.get(&path).await.body
}

/// The bytes of the `tools` that the agent is sent, and their names.
async fn listed(house: &House) -> (String, Vec<String>) {
    let request = reqwest::Client::new()
        .post(&house.agent.url)
        .bearer_auth(&house.agent.access)
        .header(CONTENT_TYPE, "application/json")
        .header(ACCEPT, "application/json, text/event-stream")
        .body(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} }).to_string());
    let body = request.send().await.expect("an answer").text().await.expect("a body of text");
    let message: Value = serde_json::from_str(&body).expect("a message");
    let tools = message["result"]["tools"].as_array().expect("a list");
    let names = tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect();
    let start = body.find("\"tools\":").expect("the list") + "\"tools\":".len();
    let text = message["result"]["tools"].to_string();
    assert_eq!(body.get(start..start + text.len()), Some(text.as_str()), "the bytes as they were sent");
    (text, names)
}

fn hash(text: &str) -> String {
    Sha256::digest(text).iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_switch_is_felt_at_the_next_call_and_in_the_list() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    let (before, names) = listed(&house).await;
    assert!(names.contains(&"list_granted_resources".to_owned()));
    assert!(page(&mut house).await.contains(&hash(&before)), "the page tells the hash of what is sent");

    switch(&mut house, Some(("list_granted_resources", "off"))).await;
    let refused = house.agent.call("list_granted_resources", json!({})).await;
    assert_eq!(refused.body["error"]["code"], -32601, "{}", refused.body);
    let (without, names) = listed(&house).await;
    assert!(!names.contains(&"list_granted_resources".to_owned()) && names.len() == 7, "{names:?}");
    let shown = page(&mut house).await;
    assert!(shown.contains(&hash(&without)) && !shown.contains(&hash(&before)));

    switch(&mut house, None).await;
    house.agent.call("list_granted_resources", json!({})).await.ok();
    assert_eq!(listed(&house).await.0, before, "byte by byte what it was");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_name_is_called_and_never_listed_and_shares_switch_scope_and_records() {
    let options = Options { fixture_tools: true, ..Options::default() };
    let mut house = House::build(Engine::Sqlite, &options).await;
    let answer = house.agent.call(OLD_NAME, json!({})).await;
    assert_eq!(answer.body, {
        let now = house.agent.call("test_simple_text", json!({})).await;
        let mut body = now.body;
        body["id"] = answer.body["id"].clone();
        body
    });
    answer.ok();
    assert!(!listed(&house).await.1.contains(&OLD_NAME.to_owned()));

    switch(&mut house, Some(("test_simple_text", "off"))).await;
    for name in ["test_simple_text", OLD_NAME] {
        let refused = house.agent.call(name, json!({})).await;
        assert_eq!(refused.body["error"]["code"], -32601, "{name}: {}", refused.body);
    }
    let page = page(&mut house).await;
    let activity = page.split("id=\"activity\"").nth(1).expect("the recent activity");
    assert!(activity.matches("test_simple_text").count() == 2 && !activity.contains(OLD_NAME), "{activity}");

    let base = house.server.url.clone();
    let writer = Agent::connect(&base, &mut house.owner, "Writer", PASSWORD, "countersign:write").await;
    let refused = writer.call(OLD_NAME, json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (403, "insufficient_scope"));
}

#[test]
fn a_name_that_two_tools_claim_keeps_the_server_from_starting() {
    let extra = |old_names| {
        let mut tool = tools().swap_remove(0);
        tool.old_names = old_names;
        countersign_mcp::catalogue([tool])
    };
    assert!(extra(&[OLD_NAME]).is_ok());
    for taken in [&["read_proposal"] as &[_], &["test_simple_text"], &["x", "x"]] {
        let refused = extra(taken).expect_err("the names clash");
        assert_eq!(refused.0, taken[0]);
    }
}
