//! Must show: the official MCP conformance suites against the test server, which is `serve` and the suites' fixture
//! tools, behind a proxy that adds the bearer.
//!
//! The snapshot is exact in both directions: a scenario that begins to fail and one that begins to pass both change
//! it, and each one that is left out has its reason in `LEFT_OUT`.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test starts the programs that users start")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::server::Options;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

const NO_PROMPTS: &str = "the connector declares no prompts";
const NO_RESOURCES: &str = "the connector declares no resources";
const NO_LOGGING: &str = "the connector declares no logging, which 2026-07-28 deprecates";
const NO_SESSION: &str = "the connector has no session and no stream to come back to";
const NO_TASKS: &str = "the connector declares no tasks";
const NO_QUESTIONS: &str =
    "no tool of ours answers with a question; a proposal waits for a person in the app";
const ASKS_CLIENT: &str = "a server without sessions sends no requests of its own to the client";

/// What is not shown, and why: the beginning of a scenario's name, and the reason. Some of these pass all the same,
/// since an error answer is all that they look for.
const LEFT_OUT: &[(&str, &str)] = &[
    ("caching", "of the lists that it asks for there is only the one of tools, whose check passes"),
    ("completion-complete", "the connector declares no completions"),
    ("elicitation-", ASKS_CLIENT),
    ("http-custom-header-server-validation", "no tool of ours has an argument that is repeated in a header"),
    ("input-required-result-", NO_QUESTIONS),
    ("logging-set-level", NO_LOGGING),
    ("prompts-", NO_PROMPTS),
    ("resources-", NO_RESOURCES),
    ("sep-2164-resource-not-found", NO_RESOURCES),
    ("server-session-lifecycle", NO_SESSION),
    ("server-sse-", NO_SESSION),
    ("tasks-", NO_TASKS),
    ("tools-call-elicitation", ASKS_CLIENT),
    ("tools-call-sampling", ASKS_CLIENT),
    ("tools-call-with-logging", NO_LOGGING),
];

fn e2e() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/e2e")
}

fn node() -> Command {
    Command::new(e2e().join("node_modules/.bin/node"))
}

/// A proxy that adds the bearer; it ends with the value.
async fn proxy(house: &House) -> (Child, String) {
    let mut child = node()
        .arg(e2e().join("clients/bearer-proxy.mjs"))
        .args([house.server.url.as_str(), house.agent.access.as_str()])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("no Node 22 ({error}): run `make setup` first"));
    let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
    let address = lines.next_line().await.expect("its output is readable").expect("it says where it is");
    (child, format!("{address}/api/v1/external-mcp"))
}

/// Runs a suite; gives what each scenario came to.
async fn run(package: &str, arguments: &[&str], folder: &str) -> BTreeMap<String, Vec<(String, String)>> {
    let house = House::build(Engine::Sqlite, &Options { fixture_tools: true, ..Options::default() }).await;
    let (_proxy, url) = proxy(&house).await;
    let results = house.data.folder().join(folder);
    let done = node()
        .arg(e2e().join("node_modules").join(package).join("dist/index.js"))
        .args(["server", "--url", &url, "-o"])
        .arg(&results)
        .args(arguments)
        .output()
        .await
        .expect("the suite runs");
    let found = read(&results);
    assert!(
        !found.is_empty(),
        "{}\n{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    found
}

/// The checks of each scenario: one folder each, named after it and the time.
fn read(results: &Path) -> BTreeMap<String, Vec<(String, String)>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(results).into_iter().flatten().flatten() {
        let Ok(text) = std::fs::read_to_string(entry.path().join("checks.json")) else { continue };
        let checks: Vec<Value> = serde_json::from_str(&text).expect("checks in JSON");
        let word = |check: &Value, name: &str| check[name].as_str().unwrap_or_default().to_owned();
        let checks = checks.iter().map(|check| (word(check, "id"), word(check, "status"))).collect();
        found.insert(scenario(&entry.file_name().to_string_lossy()), checks);
    }
    found
}

/// `server-ping-2026-11-29T10-00-00-000Z` is `ping`.
fn scenario(folder: &str) -> String {
    let name = folder.strip_prefix("server-").filter(|name| !name.starts_with('2')).unwrap_or(folder);
    name[..name.len().saturating_sub("-2026-11-29T10-00-00-000Z".len())].to_owned()
}

/// One line a scenario: what passed, or why it is left out. A scenario that fails without a reason fails the test.
fn report(found: &BTreeMap<String, Vec<(String, String)>>) -> String {
    let mut lines = Vec::new();
    for (scenario, checks) in found {
        let with = |wanted: &str| -> Vec<&str> {
            checks.iter().filter(|(_, status)| status == wanted).map(|(id, _)| id.as_str()).collect()
        };
        let (passed, failed) = (with("SUCCESS").len(), with("FAILURE"));
        lines.push(if let Some((_, reason)) = LEFT_OUT.iter().find(|(name, _)| scenario.starts_with(name)) {
            format!("{scenario}: left out, {passed} pass and {} fail: {reason}", failed.len())
        } else {
            assert!(failed.is_empty(), "{scenario} fails without a reason: {failed:?}");
            format!("{scenario}: {passed} passed")
        });
    }
    lines.join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stable_suite_passes_as_recorded() {
    let found = run("conformance-stable", &["--suite", "all"], "stable").await;
    insta::assert_snapshot!(report(&found));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_alpha_suite_passes_as_recorded_for_2025_11_25() {
    let found = run("conformance-alpha", &["--requirements", "2025-11-25"], "alpha-2025").await;
    insta::assert_snapshot!(report(&found));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_alpha_suite_passes_as_recorded_for_2026_07_28() {
    let found = run("conformance-alpha", &["--requirements", "2026-07-28"], "alpha-2026").await;
    insta::assert_snapshot!(report(&found));
}
