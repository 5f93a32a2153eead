//! From either engine into either: the same rows, refs and keys, and a server that goes on with them.

use std::time::Duration;

use countersign_store::testing::Folder;
use countersign_testkit::browser::Browser;
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::{House, MAIL, PASSWORD};
use countersign_testkit::repo::git_ok;
use countersign_testkit::server::{Options, run};
use reqwest::Method;
use serde_json::json;

use crate::place::{backup, entries, restore, verify};

/// Longer than a seal takes to come.
const HANG: Duration = Duration::from_mins(1);

/// Waits until the audit log has a seal.
async fn sealed(house: &House) {
    loop {
        let done = run(&house.server.url, &house.token, &["verify", "audit", "--json"]).await;
        let said: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
        if said["seals"].as_u64().is_some_and(|seals| seals > 0) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// A house with something of every kind in it; the ids of a proposal that landed and of one that waits.
async fn furnished(engine: Engine) -> (House, String, String) {
    let house = House::build(engine, &Options::default()).await;
    let landed = house.propose("landed-key", "landed.md", "# Ä \u{1f333} \"quoted\\\" \t\n").await;
    let (status, body) = house.approve(&landed).await.expect("the server answers");
    assert_eq!(status.as_u16(), 200, "{body}");
    let folder = house.data.folder();
    git_ok(&folder, &["clone", "-q", &house.clone_url(), "work"]).await;
    let work = folder.join("work");
    for (name, value) in [("user.name", "Pusher"), ("user.email", "pusher@countersign.example")] {
        git_ok(&work, &["config", name, value]).await;
    }
    git_ok(&work, &["tag", "-a", "v1", "-m", "The first"]).await;
    git_ok(&work, &["commit", "-q", "--allow-empty", "-m", "More"]).await;
    git_ok(&work, &["push", "-q", "origin", "HEAD:topic/a", "v1"]).await;
    let empty = json!({ "name": "empty", "project_id": house.project, "empty": true });
    let (status, body) = house.api(Method::POST, "/api/v1/repositories", Some(empty)).await;
    assert!(status.is_success(), "{status} {body}");
    let waiting = house.propose("waiting-key", "waiting.md", "waits\n").await;
    tokio::time::timeout(HANG, sealed(&house)).await.expect("a server seals by itself");
    (house, landed, waiting)
}

async fn refs(house: &House) -> String {
    git_ok(&house.bare(), &["for-each-ref", "refs/heads", "refs/tags"]).await
}

async fn way(from: Engine, to: Engine) {
    let (mut house, landed, waiting) = furnished(from).await;
    let files = Folder::new();
    let (file, again) = (files.path().join("a.tar"), files.path().join("b.tar"));
    let made = backup(&house.data, &file).await.ok();
    assert_eq!(made["repositories"], 2, "{made}");
    let checked = verify(&house.data, &file).await.ok();
    assert_eq!((&checked["rows"], &checked["repositories"]), (&made["rows"], &made["repositories"]));
    let before = refs(&house).await;
    house.server.kill().await;
    let old = std::mem::replace(&mut house.data, Data::new(to).await);
    let restored = restore(&house.data, &file).await.ok();
    let proven = restored["proven"].as_array().expect("a list");
    assert_eq!(proven.len(), 6, "{restored}");
    assert!(proven.iter().all(|proof| proof["count"].as_u64().is_some_and(|count| count > 0)), "{restored}");
    // What comes out of the restored place is what went in: on the other engine too.
    backup(&house.data, &again).await.ok();
    let (one, other) = (entries(&file).await, entries(&again).await);
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(
            name.extension().is_some_and(|end| end == "pack") || *bytes == other[name],
            "{}",
            name.display()
        );
    }
    house.restart(&Options::default()).await;
    goes_on(&house, (&landed, &waiting)).await;
    let after = refs(&house).await;
    let topic =
        |refs: &str| refs.lines().filter(|line| !line.ends_with("main")).collect::<Vec<_>>().join("\n");
    assert_eq!(topic(&before), topic(&after));
    house.server.kill().await;
    old.remove().await;
    house.data.remove().await;
}

/// A person signs in, an old token and an old agent are known, a clone is whole, and what waited lands.
async fn goes_on(house: &House, (landed, waiting): (&str, &str)) {
    Browser::signed_in(&house.server.url, MAIL, PASSWORD).await;
    let (status, me) = house.api(Method::GET, "/api/v1/me", None).await;
    assert_eq!(status.as_u16(), 200, "{me}");
    let granted = house.agent.call("list_granted_resources", json!({})).await;
    assert!(granted.ok().to_string().contains("General"), "{}", granted.body);
    let (_, facts) = house.api(Method::GET, &format!("/api/v1/proposals/{landed}"), None).await;
    assert_eq!(facts["status"], "executed", "{facts}");
    let (status, body) = house.approve(waiting).await.expect("the server answers");
    assert_eq!(status.as_u16(), 200, "{body}");
    let folder = house.data.folder();
    git_ok(&folder, &["clone", "-q", &house.clone_url(), "clone"]).await;
    let clone = folder.join("clone");
    git_ok(&clone, &["fsck", "--strict"]).await;
    assert_eq!(
        git_ok(&clone, &["rev-parse", "HEAD"]).await,
        git_ok(&house.bare(), &["rev-parse", "refs/heads/main"]).await
    );
    let text = std::fs::read_to_string(clone.join("landed.md")).expect("it landed");
    assert_eq!(text, "# Ä \u{1f333} \"quoted\\\" \t\n");
    let audit = run(&house.server.url, &house.token, &["verify", "audit"]).await;
    assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_sqlite_is_restored_into_sqlite() {
    way(Engine::Sqlite, Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_sqlite_is_restored_into_postgres() {
    way(Engine::Sqlite, Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_postgres_is_restored_into_sqlite() {
    way(Engine::Postgres, Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_postgres_is_restored_into_postgres() {
    way(Engine::Postgres, Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_holds_every_file_of_keys_that_a_server_keeps() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let files = Folder::new();
    let file = files.path().join("a.tar");
    backup(&house.data, &file).await.ok();
    let kept = std::fs::read_dir(house.data.repositories().join("keys")).expect("keys are there").flatten();
    let entries = entries(&file).await;
    for key in kept {
        let name = std::path::Path::new("keys").join(key.file_name());
        assert_eq!(entries.get(&name), std::fs::read(key.path()).ok().as_ref(), "{}", name.display());
    }
}
