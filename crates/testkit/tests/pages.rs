//! Must show: the main ways through the pages in a real browser: set-up, consent, approve, decline, stale, revoke;
//! and that a page holds one event stream. The story itself is `tests/e2e/pages/story.test.mjs`.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "a test starts the programs that users start")]

use std::path::Path;
use std::process::Stdio;

use countersign_testkit::data::{Data, Engine};
use countersign_testkit::server::{Options, TestServer};
use tokio::process::Command;

async fn story(engine: Engine) {
    let data = Data::new(engine).await;
    let server = TestServer::start(&data, &Options::default()).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/e2e");
    let told = Command::new(folder.join("node_modules/.bin/node"))
        .args(["--test", "--test-reporter=spec", "pages/story.test.mjs"])
        .current_dir(&folder)
        .env("COUNTERSIGN_URL", &server.url)
        .env("SETUP_LINK", server.setup_link.as_deref().expect("a fresh server offers its set-up"))
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .expect("Node is there: scripts/setup-node.sh installs it");
    assert!(
        told.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&told.stdout),
        String::from_utf8_lossy(&told.stderr)
    );
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
