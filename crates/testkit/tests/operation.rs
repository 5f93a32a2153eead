//! Must show: what an operator relies on. A real server behind a proxy, with a crowd at the door, with a store that
//! takes no writes, and with a repository that is gone.
#![cfg(test)]

use std::time::Duration;

use countersign_store::Db;
use countersign_store::testing::table::{put_back, take_away};
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::House;
use countersign_testkit::server::{Options, TestServer};
use reqwest::{Client, Method, StatusCode};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::net::TcpStream;

/// Where a guard is missing, a test hangs; this ends it.
const HANG: Duration = Duration::from_mins(1);
/// How many people guess at once, each at an account of their own.
const GUESSERS: u8 = 20;

/// How many of the guesses were refused as too many; guess `n` says that it comes from `address(n)`.
async fn held_back(server: &TestServer, address: impl Fn(u8) -> String) -> usize {
    let http = Client::new();
    let guess = |n: u8| {
        let body = json!({ "mail": format!("{n}@x.example"), "password": "a wrong sentence", "name": "t",
            "scopes": ["api"], "hours": 1 });
        let request = http.post(format!("{}/api/v1/tokens", server.url)).json(&body);
        request.header("x-forwarded-for", address(n)).send()
    };
    let guesses: Vec<_> = (0..GUESSERS).map(|n| tokio::spawn(guess(n))).collect();
    let mut refused = 0;
    for guess in guesses {
        let status = guess.await.expect("it ends").expect("an answer").status();
        refused += usize::from(status == StatusCode::TOO_MANY_REQUESTS);
    }
    refused
}

async fn server_that_trusts(proxies: &str) -> (Data, TestServer) {
    let data = Data::new(Engine::Sqlite).await;
    let variables = [("COUNTERSIGN_TRUSTED_PROXIES".to_owned(), proxies.to_owned())].into();
    let server = TestServer::start(&data, &Options { variables, ..Options::default() }).await;
    (data, server)
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_trusted_proxy_one_who_guesses_holds_back_nobody_else() {
    let (_data, server) = server_that_trusts("127.0.0.0/8").await;
    let many = held_back(&server, |n| format!("198.51.100.7, 192.0.2.{n}")).await;
    assert_eq!(many, 0, "each address is counted for itself");
    let one = held_back(&server, |n| format!("192.0.2.{n}, 203.0.113.1")).await;
    assert!(one > 0, "what the client wrote itself is not read");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_says_where_they_come_from() {
    for trusted in ["", "10.0.0.0/8"] {
        let (_data, server) = server_that_trusts(trusted).await;
        assert!(held_back(&server, |n| format!("192.0.2.{n}")).await > 0, "`{trusted}`");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_idle_connections_keep_no_visitor_out() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })
        .expect("a process raises its own limit");
    let data = Data::new(Engine::Sqlite).await;
    let server = TestServer::start(&data, &Options::default()).await;
    let mut idle = Vec::new();
    for _ in 0..1000 {
        idle.push(TcpStream::connect(("127.0.0.1", server.port)).await.expect("the door is open"));
    }
    let page = Client::new().get(format!("{}/sign-in", server.url)).send().await.expect("an answer");
    assert_eq!(page.status(), StatusCode::OK);
    let is_open = |stream: &TcpStream| {
        stream.try_read(&mut [0]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    };
    let open = idle.iter().filter(|stream| is_open(stream)).count();
    assert_eq!(open, 1000, "the visitor waited for none of them to be put out");
    server.stop().await;
}

/// Asks until the answer is the expected one; a verdict holds for some seconds.
async fn until_ready_is(server: &TestServer, expected: u16) {
    let http = Client::new();
    let seen = tokio::time::timeout(HANG, async {
        while http.get(format!("{}/readyz", server.url)).send().await.expect("an answer").status() != expected
        {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    seen.await.expect("a verdict holds for some seconds alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_store_takes_no_writes_is_not_ready() {
    let data = Data::new(Engine::Postgres).await;
    let server = TestServer::start(&data, &Options::default()).await;
    until_ready_is(&server, 200).await;
    let db = Db::open(&data.database_url()).await.expect("a second client");
    take_away(&db, "pulse").await;
    until_ready_is(&server, 503).await;
    put_back(&db, "pulse").await;
    until_ready_is(&server, 200).await;
    db.close().await;
    server.stop().await;
    data.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_whose_repository_is_gone_shows_why_and_can_only_be_declined() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    let proposal = house.propose("key-of-a-1", "a.md", "# A\n").await;
    let path = format!("/approvals/{proposal}");
    let whole = house.owner.get(&path).await;
    assert!(whole.find_form(&format!("{path}/approve")).is_some(), "{}", whole.body);
    let bare = house.bare();
    std::fs::rename(&bare, bare.with_extension("gone")).expect("the repository is taken away");
    let page = house.owner.get(&path).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(
        page.body.contains("The repository cannot be read") && page.body.contains("Write a.md"),
        "{}",
        page.body
    );
    assert!(page.find_form(&format!("{path}/approve")).is_none(), "nobody approves what nobody can read");
    assert!(!page.body.contains("form=\"approve\""), "nor at the foot of a phone");
    let declined = house.owner.submit(&page, &format!("{path}/decline"), &[("reason", "It is gone.")]).await;
    assert_eq!(declined.status, StatusCode::OK, "{}", declined.body);
    let (_, facts) = house.api(Method::GET, &format!("/api/v1/proposals/{proposal}"), None).await;
    assert_eq!((&facts["status"], &facts["reason"]), (&json!("declined"), &json!("It is gone.")));
}
