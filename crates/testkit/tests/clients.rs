//! Must show: stock clients list and call tools over HTTP with a bearer in both eras, and find their own way from
//! the URL alone through the real consent page to tokens.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test starts the programs that users start")]

use std::path::PathBuf;
use std::process::Stdio;

use countersign_testkit::browser::Browser;
use countersign_testkit::data::Engine;
use countersign_testkit::house::{House, PASSWORD};
use countersign_testkit::server::Options;
use rmcp::model::{CallToolRequestParams, ClientConfig, ProtocolVersion};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{AuthorizationRequest, OAuthState};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::Command;

const REDIRECT: &str = "http://127.0.0.1:9/callback";
const NOT_AVAILABLE: &str = "tool 'no_such_tool' is not available to this agent";

/// Plays the owner at `address`: signed in, approves on the consent page; says where the browser is led.
async fn consent(owner: &mut Browser, address: &str) -> String {
    let page = owner.get(address).await;
    let fill = [("answer", "approve"), ("password", PASSWORD)];
    let answered = owner.submit(&page, "/external-assistant-authorize", &fill).await;
    answered.location.unwrap_or_else(|| panic!("no redirect: {} {}", answered.status, answered.body))
}

fn e2e() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/e2e")
}

/// Runs a driver of a stock client; `owner` consents if it asks.
async fn drive(command: &mut Command, owner: &mut Browser) -> Value {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("no client to drive ({error}): run `make setup` first"));
    let mut stdin = child.stdin.take().expect("its input is piped");
    let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    let mut last = Value::Null;
    while let Some(line) = lines.next_line().await.expect("its output is readable") {
        let said: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("a line of JSON, not {line}"));
        if let Some(address) = said["authorize"].as_str() {
            let back = consent(owner, address).await;
            stdin.write_all(format!("{back}\n").as_bytes()).await.expect("it reads its input");
        }
        last = said;
    }
    assert!(child.wait().await.expect("its end is seen").success(), "the client failed after {last}");
    last
}

fn python(house: &House, mode: &str, bearer: Option<&str>) -> Command {
    let mut command = Command::new(e2e().join(".venv/bin/python"));
    command.arg(e2e().join("clients/client.py")).args([house.agent.url.as_str(), mode]).args(bearer);
    command
}

fn typescript(house: &House, mode: &str, bearer: Option<&str>) -> Command {
    let mut command = Command::new(e2e().join("node_modules/.bin/node"));
    command.arg(e2e().join("clients/client.mjs")).args([house.agent.url.as_str(), mode]).args(bearer);
    command
}

/// What every client must have seen.
fn check(saw: &Value, protocol: &str, house: Option<&House>) {
    assert_eq!(saw["protocol"], protocol, "{saw}");
    assert_eq!(saw["tools"].as_array().map(Vec::len), Some(8), "{saw}");
    assert_eq!(saw["refused"], "invalid_arguments", "{saw}");
    assert!(
        saw["unknown"].as_str().is_some_and(|error| error.contains(NOT_AVAILABLE)),
        "an unknown tool fails: {saw}"
    );
    match house {
        Some(house) => assert_eq!(saw["granted"]["projects"][0]["id"], house.project.as_str(), "{saw}"),
        None => assert_eq!(
            saw["granted"],
            json!({ "projects": [], "resources": [] }),
            "a fresh connection: {saw}"
        ),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_sdk_lists_and_calls_in_both_eras_and_signs_in_by_itself() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    let bearer = house.agent.access.clone();
    for (mode, protocol) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let saw = drive(&mut python(&house, mode, Some(&bearer)), &mut house.owner).await;
        check(&saw, protocol, Some(&house));
        let saw = drive(&mut python(&house, mode, None), &mut house.owner).await;
        check(&saw, protocol, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_sdk_lists_and_calls_in_both_eras_and_signs_in_by_itself() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    let bearer = house.agent.access.clone();
    for (mode, protocol) in [("legacy", "2025-11-25"), ("modern", "2026-07-28"), ("auto", "2026-07-28")] {
        let saw = drive(&mut typescript(&house, mode, Some(&bearer)), &mut house.owner).await;
        check(&saw, protocol, Some(&house));
    }
    for (mode, protocol) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let saw = drive(&mut typescript(&house, mode, None), &mut house.owner).await;
        check(&saw, protocol, None);
    }
}

/// What rmcp's client sees with a token.
async fn rmcp_sees(url: &str, bearer: &str, lifecycle: ClientLifecycleMode) -> Value {
    let config = StreamableHttpClientTransportConfig::with_uri(url).auth_header(bearer);
    let transport = StreamableHttpClientTransport::from_config(config);
    let client =
        ClientConfig::default().serve_with_lifecycle(transport, lifecycle).await.expect("it connects");
    let tools = client.list_all_tools().await.expect("it lists");
    let call = |name: &'static str, arguments: Value| {
        let params = CallToolRequestParams::new(name)
            .with_arguments(arguments.as_object().cloned().unwrap_or_default());
        client.call_tool(params)
    };
    let granted = call("list_granted_resources", json!({})).await.expect("it calls");
    let refused = call("read_proposal", json!({ "proposal_id": "7" })).await.expect("a refusal is a result");
    let unknown = call("no_such_tool", json!({})).await.expect_err("an unknown tool fails").to_string();
    let text = refused.content[0].as_text().expect("text").text.clone();
    let refused: Value = serde_json::from_str(&text).expect("a refusal in JSON");
    let protocol = client.peer_info().expect("it knows its peer").protocol_version.to_string();
    let saw = json!({
        "protocol": protocol,
        "tools": tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>(),
        "granted": granted.structured_content,
        "refused": refused["code"],
        "unknown": unknown,
    });
    client.cancel().await.expect("it ends");
    saw
}

fn both_lifecycles() -> [(ClientLifecycleMode, &'static str); 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [
        (ClientLifecycleMode::Initialize, "2025-11-25"),
        (ClientLifecycleMode::Auto { preferred_versions, legacy_version: None }, "2026-07-28"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn rmcp_lists_and_calls_in_both_eras_and_signs_in_by_itself() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    for (lifecycle, protocol) in both_lifecycles() {
        check(&rmcp_sees(&house.agent.url, &house.agent.access, lifecycle).await, protocol, Some(&house));
    }
    let mut state = OAuthState::new(house.agent.url.as_str(), None).await.expect("an OAuth client");
    let request = AuthorizationRequest::new(REDIRECT).with_client_name("rmcp");
    state.start_authorization(request).await.expect("it finds the authorization server and registers");
    let address = state.get_authorization_url().await.expect("where to send the owner");
    let back = consent(&mut house.owner, &address).await;
    state.handle_callback_url(&back).await.expect("it exchanges the code");
    let manager = state.into_authorization_manager().expect("it is authorized");
    let bearer = manager.get_access_token().await.expect("it has a token");
    for (lifecycle, protocol) in both_lifecycles() {
        check(&rmcp_sees(&house.agent.url, &bearer, lifecycle).await, protocol, None);
    }
}
