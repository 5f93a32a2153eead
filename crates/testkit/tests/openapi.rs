//! Must show: the served OpenAPI document is the API. Every route of it is in the document and no other, and
//! schemathesis, which makes calls from the document, finds no failure of the server, no status, content type, header
//! or body that the document does not tell, and nothing taken that it forbids.
#![cfg(test)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use countersign_core::route::Who;
use countersign_testkit::data::Engine;
use countersign_testkit::house::{House, MAIL, PASSWORD, make_token};
use countersign_testkit::program::Program;
use countersign_testkit::server::Options;
use reqwest::Method;
use serde_json::{Value, json};

/// Somebody whose role and password may change.
const MEMBER: (&str, &str) = ("vera@countersign.example", "a viewer looks and decides nothing");
/// More calls than are made.
const RATE: &str = "rate_limit = 1000000\n";
/// The same cases in every run.
const SEED: &str = "20261130";
/// How many cases are made up for each operation, beside those at the edges of its schemas.
const EXAMPLES: &str = "8";

/// What is not looked at, and why: a schema cannot say all that the server asks of a text, such as that of a branch's
/// name; and that a call without a token is refused is shown for every route by the matrix of credentials.
const LEFT_OUT: &str = "positive_data_acceptance,ignored_auth";

fn schemathesis() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/e2e/api/.venv/bin/schemathesis")
}

/// A house with something of everything in it.
async fn furnished() -> House {
    let mut house = House::build(Engine::Postgres, &Options::default()).await;
    std::fs::write(house.data.folder().join("config.toml"), RATE).expect("the data folder is writable");
    house.restart(&Options::default()).await;
    house.add_member("editor", MEMBER).await;
    for (key, path) in [("key-of-a-1", "docs/a.md"), ("key-of-b-1", "docs/b.md"), ("key-of-c-1", "docs/c.md")]
    {
        house.propose(key, path, "one\ntwo\n").await;
    }
    let landed = house.propose("key-of-d-1", "docs/d.md", "three\n").await;
    let (status, body) = house.approve(&landed).await.expect("the server answers");
    assert!(status.is_success(), "{body}");
    house.propose("key-of-e-1", "docs/e.md", "four\n").await;
    house
}

/// The ids of a list.
async fn ids(house: &House, path: &str, name: &str) -> Vec<String> {
    let (status, list) = house.api(Method::GET, path, None).await;
    assert!(status.is_success(), "{list}");
    let items = list["items"].as_array().cloned().unwrap_or_default();
    items.iter().filter_map(|item| item[name].as_str().map(str::to_owned)).collect()
}

/// The configuration: which ids stand for what, so that most calls reach something that is there. A token of its own
/// is given to be revoked, and a person who is not the owner to be changed.
async fn configuration(house: &House) -> String {
    make_token(&house.server.url, (MAIL, PASSWORD), "repo:read").await;
    let base = "/api/v1";
    let project = format!("{base}/projects/{}/members", house.project);
    let history = format!("{base}/repositories/{}/history", house.repository);
    let spare = json!({ "kind": "other", "name": "Spare" });
    house.api(Method::POST, "/api/v1/connections", Some(spare)).await;
    let (_, people) = house.api(Method::GET, &project, None).await;
    let people = people["items"].as_array().cloned().unwrap_or_default();
    let user = people.iter().find(|one| one["mail"] == MEMBER.0).expect("the member is listed");
    let dictionaries = [
        ("tokens", ids(house, &format!("{base}/tokens?limit=1"), "id").await),
        ("projects", vec![house.project.clone()]),
        ("repositories", vec![house.repository.clone()]),
        ("proposals", ids(house, &format!("{base}/proposals"), "id").await),
        ("connections", ids(house, &format!("{base}/connections"), "id").await),
        ("people", vec![user["user_id"].as_str().expect("an id").to_owned()]),
        ("commits", ids(house, &history, "oid").await),
        ("tools", vec!["list_granted_resources".to_owned(), "search_gitnest_code".to_owned()]),
        ("paths", ["README.md", "docs", "docs/d.md", ""].map(str::to_owned).to_vec()),
    ];
    let mut text = String::new();
    for (name, values) in dictionaries {
        assert!(!values.is_empty(), "there are no {name}");
        let _ = writeln!(text, "[dictionaries.{name}]\nvalues = {}", json!(values));
    }
    let bound = [
        ("tokens", "path.id", "tokens"),
        ("projects", "path.id", "projects"),
        ("repositories", "path.id", "repositories"),
        ("repositories", "query.path", "paths"),
        ("proposals", "path.id", "proposals"),
        ("connections", "path.id", "connections"),
        ("connections", "path.project", "projects"),
        ("connections", "path.tool", "tools"),
        ("projects|people|repositories", "path.user", "people"),
        ("repositories", "path.oid", "commits"),
    ];
    for (nouns, parameter, dictionary) in bound {
        let _ = writeln!(
            text,
            "[[operations]]\ninclude-path-regex = \"^/api/v1/({nouns})\"\n\
             [operations.parameters.\"{parameter}\"]\ndictionary = \"{dictionary}\"\nprobability = 0.8"
        );
    }
    // What an answer lists is given to no other call: the token of this very run would be revoked.
    text + "[phases.coverage.extra-data-sources]\nresponses = false\n\
            [phases.fuzzing.extra-data-sources]\nresponses = false\n"
}

async fn runs_clean(scopes: &str) {
    let house = furnished().await;
    let token = make_token(&house.server.url, (MAIL, PASSWORD), scopes).await;
    let file = house.data.folder().join("schemathesis.toml");
    std::fs::write(&file, configuration(&house).await).expect("the data folder is writable");
    let (url, header) =
        (format!("{}/api/v1/openapi.json", house.server.url), format!("Authorization: Bearer {token}"));
    let config = file.to_str().expect("a path in UTF-8");
    let arguments = [
        &["--config-file", config, "run", &url, "--header", &header][..],
        &["--phases", "examples,coverage,fuzzing", "--exclude-checks", LEFT_OUT],
        &["--max-examples", EXAMPLES, "--seed", SEED, "--generation-database", "none"],
        &["--workers", "2", "--no-color", "--no-shrink", "--warnings", "off", "--continue-on-failure"],
    ];
    let program = Program::at(schemathesis()).within(&house.data.folder());
    let done = program.run(&arguments.concat()).await;
    let told = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{told}\n{}", String::from_utf8_lossy(&done.stderr));
    assert!(told.contains("0 failed") || told.contains("No issues found"), "{told}");
    // A run whose token ended on the way would have shown nothing.
    let me = reqwest::Client::new().get(format!("{}/api/v1/me", house.server.url)).bearer_auth(&token);
    let status = me.send().await.expect("the server answers").status().as_u16();
    assert_eq!(status, if scopes.contains("api") { 200 } else { 403 });
}

#[tokio::test(flavor = "multi_thread")]
async fn schemathesis_finds_nothing_with_a_token_that_decides() {
    runs_clean("api proposals:decide").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn schemathesis_finds_nothing_with_a_token_that_does_not_decide() {
    runs_clean("api").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_served_document_has_every_route_of_the_api_and_no_other() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let url = format!("{}/api/v1/openapi.json", house.server.url);
    let served: Value = reqwest::get(url).await.expect("an answer").json().await.expect("a document");
    let mut told = BTreeSet::new();
    for (path, methods) in served["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            told.insert((method.to_ascii_uppercase(), path.clone()));
        }
    }
    // The connector speaks JSON-RPC, and sign-in of agents is OAuth: each has a description of its own.
    let is_rest = |route: &&countersign_core::route::Route| {
        route.path.starts_with("/api/v1/") && !matches!(route.who, Who::Agent | Who::Client)
    };
    let routes = countersign_server::routes::list();
    let listed: BTreeSet<_> = routes
        .iter()
        .filter(is_rest)
        .filter(|route| !route.path.starts_with("/api/v1/external-"))
        .map(|route| (route.method.to_owned(), route.path.to_owned()))
        .collect();
    assert_eq!(told, listed);
}
