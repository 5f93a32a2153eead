//! Attacks with what agents, clients and people write: markup on pages, sequences on terminals, lines in the log.

use std::path::Path;

use countersign_core::text::is_deceptive;
use countersign_testkit::agent::Agent;
use countersign_testkit::data::Engine;
use countersign_testkit::house::{House, PASSWORD, SCOPE};
use countersign_testkit::repo::{git_ok, plant_stream};
use countersign_testkit::server::{Options, Ships, run};
use reqwest::{Client, Method};
use serde_json::{Value, json};

/// Markup that acts wherever it is not escaped, in an element and in an attribute.
const MARKUP: &str = "<img src=x onerror=alert(1)>\"'><script>alert(1)</script>{{7*7}}";
/// What a terminal obeys, what turns a line round, and what begins a line of its own.
const STEERS: &str = "a\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}b";

/// A history by a stranger, with `text` wherever git takes it.
fn history(text: &str) -> String {
    let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
    let name: String = text.chars().filter(|c| !matches!(c, '<' | '>' | '\n')).collect();
    let who = format!("{name} <eve@countersign.example> 1700000000 +0000");
    let length = text.len();
    format!(
        "blob\nmark :1\ndata {length}\n{text}\nreset refs/heads/main\nfrom refs/heads/main^0\n\n\
         commit refs/heads/main\nauthor {who}\ncommitter {who}\ndata {length}\n{text}\nfrom refs/heads/main^0\n\
         M 100644 :1 \"{quoted}\"\nM 100644 :1 \"README.md\"\nM 100644 :1 \"folder {quoted}/a\"\n\n"
    )
}

/// Everything that others may name or say, named and said with `text`; without what no name may hold where that is
/// refused at the door.
async fn say_everywhere(house: &mut House, text: &str, branch: &str) -> [String; 2] {
    plant_stream(&house.bare(), history(text).as_bytes()).await;
    for kind in ["heads", "tags"] {
        git_ok(&house.bare(), &["update-ref", &format!("refs/{kind}/{branch}"), "refs/heads/main"]).await;
    }
    let polite: String = text.chars().filter(|c| !is_deceptive(*c)).collect();
    let new = json!({ "name": polite });
    let (status, made) = house.api(Method::POST, "/api/v1/projects", Some(new)).await;
    assert!(status.is_success() || status.as_u16() == 400, "{status} {made}");
    house.add_member("viewer", ("eve@countersign.example", "correct horse battery eve")).await;
    drop(Agent::connect(&house.server.url, &mut house.owner, text, PASSWORD, SCOPE).await);
    let open = propose(house, "said.md", (&polite, &format!("{text}\n\n[x](javascript:alert(1))\n"))).await;
    let declined = propose(house, "other.md", (&format!("{polite} and more"), text)).await;
    let path = format!("/api/v1/proposals/{declined}/decline");
    let (status, body) = house.api(Method::POST, &path, Some(json!({ "reason": polite }))).await;
    assert!(status.is_success(), "{body}");
    [open, declined]
}

async fn propose(house: &House, path: &str, (message, content): (&str, &str)) -> String {
    let mut import = house.import(&format!("said-in-{path}"), path, content);
    import["message"] = message.into();
    let answer = house.agent.call("propose_gitnest_file_import", import).await;
    answer.ok()["proposal_id"].as_str().unwrap().to_owned()
}

/// The pages on which any of it may stand.
async fn pages(house: &House, proposals: [&str; 2]) -> Vec<String> {
    let repository = format!("/repositories/{}", house.repository);
    let commit = git_ok(&house.bare(), &["rev-parse", "refs/heads/main"]).await;
    let mut pages: Vec<String> = [
        "/",
        "/go?q=a",
        "/approvals",
        "/approvals?state=all",
        "/connected",
        "/projects",
        "/people",
        "/tokens",
        "/audit",
        "/repositories",
    ]
    .map(str::to_owned)
    .into();
    pages.push(format!("/connected/{}", house.connection));
    pages.push(format!("/projects/{}", house.project));
    pages.push(repository.clone());
    for below in [
        "/history",
        "/branches",
        "/search?q=img",
        "/search?q=owned",
        "/blame/README.md",
        "/files/README.md",
        "/settings",
    ] {
        pages.push(format!("{repository}{below}"));
    }
    pages.push(format!("{repository}/commits/{commit}"));
    pages.extend(proposals.map(|id| format!("/approvals/{id}")));
    pages
}

#[tokio::test(flavor = "multi_thread")]
async fn markup_of_others_is_text_on_every_page() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    let [open, declined] = say_everywhere(&mut house, MARKUP, "x<img/src=x/onerror=alert(1)>").await;
    let mut shown = 0;
    for path in pages(&house, [&open, &declined]).await {
        let page = house.owner.get(&path).await;
        assert!(page.status.is_success(), "{path}: {}", page.status);
        for never in [
            "<img src=x",
            "<img/src=x",
            "<script>alert",
            "'><script",
            "\"javascript:alert",
            "onerror=alert(1)>",
        ] {
            assert!(!page.body.contains(never), "{path} holds {never}:\n{}", page.body);
        }
        shown += page.body.matches("&lt;img src=x").count() + page.body.matches("&lt;img/src=x").count();
    }
    assert!(shown > 20, "it was said in {shown} places only: this showed nothing");
    // Nor does a page obey what stands in its address.
    for path in ["/go?q=", "/approvals?state=", "/sign-in?to=", "/sudo?to=", "/nowhere/", "/connected/"] {
        let page = house
            .owner
            .get(&format!("{path}%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%22%3E%3Cscript%3Ealert(1)"))
            .await;
        assert!(
            !page.body.contains("<img src=x") && !page.body.contains("<script>alert"),
            "{path}\n{}",
            page.body
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sequences_of_others_steer_no_terminal() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    let [open, declined] = say_everywhere(&mut house, STEERS, "x\u{202e}y").await;
    let commands: [&[&str]; 9] = [
        &["proposals", "list"],
        &["proposals", "show", &open],
        &["proposals", "show", &declined],
        &["proposals", "approve", &declined],
        &["project", "list"],
        &["member", "list", "General"],
        &["repo", "list"],
        &["repo", "settings", "demo"],
        &["token", "list"],
    ];
    // Where nobody needs them, they are refused.
    let mut import = house.import("steering-message", "a.md", "a\n");
    import["message"] = STEERS.into();
    let refused = house.agent.call("propose_gitnest_file_import", import).await;
    assert_eq!(refused.code(), "invalid_arguments");
    let mut spelled = 0;
    for command in commands {
        let output = run(&house.server.url, &house.token, command).await;
        for said in [&output.stdout, &output.stderr] {
            let said = String::from_utf8(said.clone()).expect("it is text");
            let steering = said.chars().find(|c| !matches!(c, '\n' | '\t') && is_deceptive(*c));
            assert_eq!(steering, None, "{command:?}: {said:?}");
            spelled += said.matches("\\u{1b}").count();
        }
    }
    assert!(spelled > 1, "it was said in {spelled} places only: this showed nothing");
}

/// Sends bytes that no decent client would, and reads what comes.
async fn raw(house: &House, bytes: &[u8]) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", house.server.port)).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let _ = stream.read_to_end(&mut Vec::new()).await;
}

async fn ask_with_sequences(house: &House) {
    let http = Client::new();
    let at = |path: &str| format!("{}{path}", house.server.url);
    let forged = format!("{STEERS}\n2026-01-01T00:00:00.000000Z  INFO forged: everything is fine");
    let guess = json!({ "mail": forged, "password": forged, "name": forged, "scopes": ["api"], "hours": 1 });
    http.post(at("/api/v1/tokens")).json(&guess).send().await.unwrap();
    let client = json!({ "client_name": forged, "redirect_uris": ["https://h.example/cb"] });
    http.post(at("/api/v1/external-oauth/register")).json(&client).send().await.unwrap();
    let coded = "%1b%5b2J%0a2026-01-01T00:00:00Z%20INFO%20forged:%e2%80%ae";
    for path in [
        format!("/{coded}"),
        format!("/api/v1/{coded}"),
        format!("/git/acme/{coded}.git/info/refs?service=git-upload-pack"),
    ] {
        http.get(at(&path)).bearer_auth(&house.token).send().await.unwrap();
    }
    for arguments in
        [json!({ "repository_id": forged }), json!({ "repository_id": house.repository, "path": forged })]
    {
        house.agent.call("read_gitnest_repository", arguments).await;
    }
    house.agent.send(&forged, Value::Null).await;
    let host = format!("127.0.0.1:{}", house.server.port);
    for request in [
        format!("GET /x\u{1b}[2J HTTP/1.1\r\nhost: {host}\r\n\r\n"),
        format!(
            "GET / HTTP/1.1\r\nhost: {host}\r\nuser-agent: \u{9b}2J\u{202e}\r\nx-forwarded-for: \u{1b}[2J\r\nconnection: close\r\n\r\n"
        ),
        "GET / HTTP/1.1\r\nhost: evil\u{202e}.example\r\nconnection: close\r\n\r\n".to_owned(),
    ] {
        raw(house, request.as_bytes()).await;
    }
}

/// A push that git itself complains of, in the words of whoever pushes.
async fn push_with_sequences(house: &House, folder: &Path) {
    git_ok(folder, &["clone", "-q", &house.clone_url(), "work"]).await;
    let work = folder.join("work");
    let refs = format!("HEAD:refs/heads/x\u{202e}{}", "y".repeat(20));
    let _ = countersign_testkit::repo::push(&work, &house.clone_url(), &[&refs]).wait().await;
    let _ = countersign_testkit::repo::push(&work, &house.clone_url(), &["HEAD:refs/proposals/\u{202e}"])
        .wait()
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_line_of_the_log_is_a_strangers_or_steers_who_reads_it() {
    for shape in [None, Some("--json")] {
        let folder = countersign_store::testing::Folder::new();
        let log = folder.path().join("log");
        let variables = [("COUNTERSIGN_LOG".to_owned(), "trace".to_owned())].into();
        let mut house =
            House::build(Engine::Sqlite, &Options { ships: Ships::Unclaimed, ..Options::default() }).await;
        let options = Options {
            ships: Ships::Claimed,
            log: Some(log.clone()),
            variables,
            arguments: shape.into_iter().map(str::to_owned).collect(),
            ..Options::default()
        };
        house.restart(&options).await;
        ask_with_sequences(&house).await;
        push_with_sequences(&house, folder.path()).await;
        house.server.kill().await;
        let written = String::from_utf8(std::fs::read(&log).unwrap()).expect("the log is text");
        assert!(written.contains("forged"), "{shape:?}: nothing of it is logged: this showed nothing");
        for line in written.lines() {
            let steering = line.chars().find(|c| *c != '\t' && is_deceptive(*c));
            assert_eq!(steering, None, "{shape:?}: {line:?}");
            let begins =
                if shape.is_some() { line.starts_with("{\"timestamp\":\"2") } else { line.starts_with('2') };
            assert!(
                begins && !line.starts_with("2026-01-01"),
                "{shape:?}: a line of somebody else: {line:?}"
            );
        }
    }
}
