//! Must show: the main ways through the pages in a real browser: set-up, consent, approve, decline, stale, revoke;
//! and that a page holds one event stream (`tests/e2e/pages/story.test.mjs`). The way through a repository of 2,000
//! files and 500 commits, wide and narrow (`tests/e2e/pages/repositories.test.mjs`). Passkeys by a virtual authenticator,
//! two owners, an invitation, and axe on every page of the app (`tests/e2e/pages/people.test.mjs`). The first and the last
//! also over two servers.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use countersign_app::testing::history::{Change, History, large};
use countersign_core::route::Who;
use countersign_testkit::balance::Balance;
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::{House, MAIL, PASSWORD};
use countersign_testkit::repo::plant;
use countersign_testkit::server::{Options, TestServer, free_port};
use countersign_testkit::story::tell;

/// One server, or two on one PostgreSQL and one folder of repositories behind a balancer: where a browser has them, since
/// passkeys take an address that it trusts.
struct Behind {
    url: String,
    link: String,
    servers: Vec<TestServer>,
    /// The first server's port is the address, or this leads to all of them.
    _balance: Option<Balance>,
    _data: Data,
}

impl Behind {
    async fn servers(engine: Engine, count: usize) -> Self {
        let (data, port) = (Data::new(engine).await, free_port());
        let url = format!("http://localhost:{port}");
        let mut servers = Vec::new();
        for _ in 0..count {
            let variables = [("COUNTERSIGN_PUBLIC_URL".to_owned(), url.clone())].into();
            let port = if count == 1 { port } else { free_port() };
            servers.push(TestServer::start(&data, &Options { port, variables, ..Options::default() }).await);
        }
        let ports = servers.iter().map(|server| server.port).collect();
        let balance = if count == 1 { None } else { Some(Balance::between(port, ports).await) };
        let link = servers[0].setup_link.clone().expect("a fresh server offers its set-up");
        Self { url, link, servers, _balance: balance, _data: data }
    }

    async fn tell(self, story: &str) {
        let pages = countersign_server::routes::list();
        let pages = pages.iter().filter(|route| route.method == "GET" && route.who == Who::Session);
        let pages: Vec<&str> = pages.map(|route| route.path).collect();
        let variables =
            [("COUNTERSIGN_URL", self.url.as_str()), ("SETUP_LINK", &self.link), ("PAGES", &pages.join(" "))];
        tell(story, &variables).await;
        for server in self.servers {
            server.stop().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_main_ways_through_the_pages_in_a_browser() {
    Behind::servers(Engine::Sqlite, 1).await.tell("pages/story.test.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_main_ways_through_the_pages_in_a_browser_over_two_servers() {
    Behind::servers(Engine::Postgres, 2).await.tell("pages/story.test.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn passkeys_and_two_owners_in_a_browser() {
    Behind::servers(Engine::Sqlite, 1).await.tell("pages/people.test.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn passkeys_and_two_owners_in_a_browser_over_two_servers() {
    Behind::servers(Engine::Postgres, 2).await.tell("pages/people.test.mjs").await;
}

/// What stands beside the many files: an introduction, a picture, names that are hard to link to.
const README: &str = include_str!("../../../tests/e2e/pages/introduction.md");
/// A grey picture of one dot.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==";

#[tokio::test(flavor = "multi_thread")]
async fn the_ways_through_a_large_repository_in_a_browser() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    plant(&house.bare(), large(2_000, 500)).await;
    let mut history = History::default();
    let dot = STANDARD.decode(PNG).expect("it is base64");
    let files: [(&[u8], Change<'_>); 4] = [
        (b"README.md", Change::File(README.as_bytes())),
        (b"docs/dot.png", Change::File(&dot)),
        (b"docs/a b%c#d?e.txt", Change::File(b"An odd name.\n")),
        (b"docs/link", Change::Link("../README.md")),
    ];
    history.commit("main", "Introduce the orchard\n\nWith a picture and a few odd names.", &files);
    history.commit("feature/grafting", "Try grafting", &[(b"docs/graft.md", Change::File(b"# Graft\n"))]);
    history.tag("v1.0", "main");
    plant(&house.bare(), history).await;
    let variables = [
        ("COUNTERSIGN_URL", house.server.url.as_str()),
        ("REPOSITORY", &house.repository),
        ("MAIL", MAIL),
        ("PASSWORD", PASSWORD),
    ];
    tell("pages/repositories.test.mjs", &variables).await;
}
