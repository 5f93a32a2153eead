//! Must show: the command line against a server that it knows by COUNTERSIGN_URL and COUNTERSIGN_TOKEN alone. With
//! `--json` each command answers in JSON, each failure too, and the exit code says what kind it is.
#![cfg(test)]

use std::process::Output;

use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::{House, MAIL, PASSWORD};
use countersign_testkit::program::Program;
use countersign_testkit::repo::git_ok;
use countersign_testkit::server::{Options, binary, free_port, run};
use reqwest::Method;
use serde_json::{Value, json};

fn code(output: &Output) -> i32 {
    output.status.code().expect("it ended by itself")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The answer of a command that has to succeed.
async fn answer(house: &House, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    let done = run(&house.server.url, &house.token, &arguments).await;
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(code(&done), 0, "{arguments:?}: {told}");
    serde_json::from_slice(&done.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_answers_in_json_when_it_is_asked_to() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let proposal = house.propose("key-of-a-1", "a.md", "a\n").await;
    for (arguments, field) in [
        (vec!["connect", "vscode"], "setting"),
        (vec!["connection", "list"], "items"),
        (vec!["connection", "show", &house.connection], "grants"),
        (vec!["proposals", "list"], "items"),
        (vec!["proposals", "show", &proposal], "changes"),
        (vec!["project", "list"], "items"),
        (vec!["project", "create", "Second"], "id"),
        (vec!["member", "list", "General"], "items"),
        (vec!["invitation", "create", "mary@x.example", "--project", "General", "--role", "editor"], "link"),
        (vec!["invitation", "list"], "items"),
        (vec!["repo", "list"], "items"),
        (vec!["repo", "create", "more", "--project", "General"], "clone_url"),
        (vec!["repo", "gitnest", "on", "more"], "gitnest"),
        (vec!["repo", "move", "more", "Second"], "project_id"),
        (vec!["repo", "settings", "demo"], "protected_branches"),
        (vec!["repo", "members", "demo"], "items"),
        (vec!["token", "list"], "items"),
        (vec!["verify", "audit"], "verdict"),
        (vec!["proposals", "approve", &proposal], "commit"),
        (vec!["connection", "revoke", &house.connection], "withdrawn"),
        (vec!["completions", "fish"], "script"),
    ] {
        let told = answer(&house, &arguments).await;
        assert!(told.get(field).is_some(), "{arguments:?}: {told}");
    }
    let made =
        with_input(&house, &["token", "create", "t", "--mail", MAIL, "--scope", "api", "--json"]).await;
    let told: Value = serde_json::from_str(&made).expect("JSON");
    let id = told["id"].as_str().expect("an id");
    assert_eq!(answer(&house, &["token", "revoke", id]).await, json!({ "id": id, "revoked": true }));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_that_was_taken_back_is_in_no_list_and_its_mail_address_can_be_invited_again() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let made = answer(&house, &["invitation", "create", "mary@x.example"]).await;
    assert!(made["link"].as_str().is_some_and(|link| link.contains("/join#cs_in_")), "{made}");
    let id = made["id"].as_str().expect("an id");
    let listed = answer(&house, &["invitation", "list"]).await;
    assert_eq!((&listed["items"][0]["id"], &listed["items"][0]["link"]), (&made["id"], &Value::Null));
    for _ in 0..2 {
        let done = answer(&house, &["invitation", "withdraw", id]).await;
        assert_eq!(done, json!({ "id": id, "state": "withdrawn" }));
    }
    assert_eq!(answer(&house, &["invitation", "list"]).await["items"], json!([]));
    answer(&house, &["invitation", "create", "mary@x.example", "--owner"]).await;
}

/// A command that reads the owner's password from its input.
async fn with_input(house: &House, arguments: &[&str]) -> String {
    let program = Program::at(binary("countersign")).env("COUNTERSIGN_URL", &house.server.url);
    stdout(&program.input(&format!("{PASSWORD}\n")).run(arguments).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_exit_code_says_what_kind_of_failure_it_is() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let (url, token) = (house.server.url.as_str(), house.token.as_str());
    let nowhere = format!("http://127.0.0.1:{}", free_port());
    let unknown = "0190f0f0-0000-7000-8000-000000000001";
    let head = format!("9:{}", "0".repeat(64));
    let unsigned = foreign_commit(&house).await;
    for (url, token, arguments, wanted, word) in [
        (url, token, vec!["project", "list"], 0, ""),
        (url, "", vec!["project", "list"], 2, "token_missing"),
        (url, token, vec!["repo", "settings", "no-such-name"], 2, "name_unknown"),
        (url, token, vec!["no-such-command"], 2, ""),
        (url, "cs_pat_wrong", vec!["project", "list"], 3, "unauthenticated"),
        (url, token, vec!["connection", "show", unknown], 3, "not_found"),
        (nowhere.as_str(), token, vec!["project", "list"], 4, ""),
        (url, token, vec!["verify", "commit", &unsigned, "--repository", "demo"], 5, ""),
        (url, token, vec!["verify", "audit", "--expect", &head], 5, ""),
    ] {
        let done = run(url, token, &[&arguments[..], &["--json"]].concat()).await;
        assert_eq!(code(&done), wanted, "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        if !word.is_empty() {
            let told: Value = serde_json::from_slice(&done.stderr).expect("a failure in JSON");
            assert_eq!(told["code"], word, "{arguments:?}");
            assert!(!told["next_action"].as_str().unwrap_or_default().is_empty(), "{told}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistake_is_told_with_what_to_type_instead() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let (url, token) = (house.server.url.as_str(), house.token.as_str());
    for (token, arguments, wanted, words) in [
        (
            token,
            vec!["proposals", "show", "01a2"],
            2,
            vec!["no id of a proposal", "`countersign proposals list`"],
        ),
        (
            token,
            vec!["member", "role", "General", "ada", "editor"],
            2,
            vec!["`countersign member list PROJECT`"],
        ),
        (
            token,
            vec!["invitation", "create", "m@x.example", "--role", "owner"],
            2,
            vec!["--project", "--owner"],
        ),
        ("cs_pat_wrong", vec!["project", "list"], 3, vec!["`countersign token create`"]),
        (token, vec!["member", "add"], 2, vec!["Usage: countersign member add <PROJECT> <MAIL>"]),
    ] {
        let done = run(url, token, &arguments).await;
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(code(&done), wanted, "{arguments:?}: {told}");
        assert!(words.iter().all(|word| told.contains(word)), "{arguments:?}: {told}");
        assert!(!told.contains("--token <TOKEN>"), "{arguments:?}: {told}");
    }
    let unsigned = foreign_commit(&house).await;
    let checked = stdout(&run(url, token, &["verify", "commit", &unsigned]).await);
    assert!(checked.starts_with("not signed") && !checked.contains("verify-commit"), "{checked}");
}

#[tokio::test]
async fn the_doctor_names_the_file_and_the_line_that_is_wrong() {
    let data = Data::new(Engine::Sqlite).await;
    let file = data.folder().join("config.toml");
    std::fs::write(&file, "rate_limit = 5\nbnd = 1\n").expect("written");
    let data = data.folder().display().to_string();
    let done = Program::at(binary("countersign")).run(&["doctor", "--data", &data, "--json"]).await;
    let told: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let said = told["findings"][0]["said"].as_str().expect("a finding");
    assert!(said.contains(file.to_str().expect("UTF-8")) && said.contains("line 2"), "{told}");
    assert_eq!(code(&done), 5);
}

/// A commit that somebody pushed: this server did not sign it.
async fn foreign_commit(house: &House) -> String {
    let (folder, clone) = (house.data.folder(), house.data.folder().join("clone"));
    git_ok(&folder, &["clone", "--quiet", &house.clone_url(), "clone"]).await;
    let who = ["-c", "user.name=O", "-c", "user.email=o@x.org"];
    git_ok(&clone, &[&who[..], &["commit", "--quiet", "--allow-empty", "-m", "Pushed"]].concat()).await;
    git_ok(&clone, &["push", "--quiet", "origin", "HEAD:topic"]).await;
    git_ok(&clone, &["rev-parse", "HEAD"]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_more_than_a_page_is_whole() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    for n in 0..104 {
        let body = json!({ "name": format!("Project {n:03}") });
        let (status, body) = house.api(Method::POST, "/api/v1/projects", Some(body)).await;
        assert!(status.is_success(), "{body}");
    }
    let listed = answer(&house, &["project", "list"]).await;
    assert_eq!(listed["items"].as_array().expect("items").len(), 105);
}

#[tokio::test]
async fn the_completions_of_bash_are_a_script_that_bash_reads() {
    let program = binary("countersign").display().to_string();
    let cut = format!("set -o pipefail; {program} completions bash | true");
    let cut = Program::at("bash").input(&cut).run(&["-s"]).await;
    assert!(cut.status.success(), "{}", String::from_utf8_lossy(&cut.stderr));
    let script = stdout(&Program::at(binary("countersign")).run(&["completions", "bash"]).await);
    assert!(script.contains("connection"), "{script}");
    let read = Program::at("bash").input(&script).run(&["-n"]).await;
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
}
