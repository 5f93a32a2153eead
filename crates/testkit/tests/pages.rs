//! Must show: the main ways through the pages in a real browser: set-up, consent, approve, decline, stale, revoke;
//! and that a page holds one event stream (`tests/e2e/pages/story.test.mjs`). The way through a repository of 2,000
//! files and 500 commits, wide and narrow (`tests/e2e/pages/repositories.test.mjs`).
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use countersign_app::testing::history::{Change, History, large};
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::{House, MAIL, PASSWORD};
use countersign_testkit::repo::plant;
use countersign_testkit::server::{Options, TestServer};
use countersign_testkit::story::tell;

async fn story(engine: Engine) {
    let data = Data::new(engine).await;
    let server = TestServer::start(&data, &Options::default()).await;
    let link = server.setup_link.as_deref().expect("a fresh server offers its set-up");
    tell("pages/story.test.mjs", &[("COUNTERSIGN_URL", &server.url), ("SETUP_LINK", link)]).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_main_ways_through_the_pages_in_a_browser() {
    story(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_main_ways_through_the_pages_in_a_browser_on_postgres() {
    story(Engine::Postgres).await;
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
