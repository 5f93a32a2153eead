//! Must show: the official MCP conformance suites against the test server, which is `serve` and the suites' fixture
//! tools, behind a proxy that adds the bearer.
//!
//! The snapshot is exact in both directions: a scenario that begins to fail and one that begins to pass both change
//! it, and each one that is left out has its reason in `LEFT_OUT`.

use std::collections::{BTreeMap, BTreeSet};
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
const ASKS_CLIENT: &str = "a server without sessions cannot send requests of its own to the client";
const NO_INPUT: &str = "no tool of ours answers with a question; a proposal waits for a person in the app";

/// What is not shown, and why: the beginning of a scenario's name, and the reason.
const LEFT_OUT: &[(&str, &str)] = &[];

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
    assert!(!found.is_empty(), "{}\n{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
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
    let name = folder.strip_prefix("server-").unwrap_or(folder);
    let time = name.find("-20").filter(|at| name[*at..].contains('T'));
    name[..time.unwrap_or(name.len())].to_owned()
}

/// One line a scenario: what passed, or what did not and why that is left out.
fn report(found: &BTreeMap<String, Vec<(String, String)>>) -> String {
    let mut lines = Vec::new();
    for (scenario, checks) in found {
        let failed: BTreeSet<&str> =
            checks.iter().filter(|(_, status)| status == "FAILURE").map(|(id, _)| id.as_str()).collect();
        let passed = checks.iter().filter(|(_, status)| status == "SUCCESS").count();
        let reason = LEFT_OUT.iter().find(|(name, _)| scenario.starts_with(name)).map(|(_, reason)| *reason);
        lines.push(match (failed.is_empty(), reason) {
            (true, None) => format!("{scenario}: {passed} passed"),
            (true, Some(reason)) => format!("{scenario}: {passed} passed, and yet left out: {reason}"),
            (false, None) => format!("{scenario}: FAILED without a reason: {failed:?}"),
            (false, Some(reason)) => format!("{scenario}: left out, {reason} ({} of {})", failed.len(), checks.len()),
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
