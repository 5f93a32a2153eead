//! Must show: the scenario of a file import, word for word, over HTTP: propose, replay, refuse, approve, stale,
//! crash and replay, decline, expire; and what git says of the commits.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::repo::{commits, git, git_ok, tip};
use countersign_testkit::server::Options;
use reqwest::Method;
use serde_json::{Value, json};

async fn approve(house: &House, proposal: &str) -> (u16, Value) {
    let (status, body) = house.approve(proposal).await.expect("the server answers");
    (status.as_u16(), body)
}

async fn scenario(engine: Engine) {
    let mut house = House::build(engine, &Options::default()).await;
    let base = tip(&house.bare()).await;

    // Propose; the retry replays; the same key with another body is refused.
    let arguments = house.import("key-of-a-1", "docs/a.md", "# A\n");
    let first = house.agent.call("propose_gitnest_file_import", arguments.clone()).await;
    let a = first.ok()["proposal_id"].as_str().expect("an id").to_owned();
    assert_eq!(
        (first.ok()["status"].as_str(), first.ok()["base_oid"].as_str()),
        (Some("pending"), Some(base.as_str()))
    );
    let again = house.agent.call("propose_gitnest_file_import", arguments.clone()).await;
    assert_eq!(
        (again.ok()["proposal_id"].as_str(), again.ok()["replayed"].as_bool()),
        (Some(a.as_str()), Some(true))
    );
    let mut other = arguments.clone();
    other["message"] = json!("Another body");
    let refused = house.agent.call("propose_gitnest_file_import", other).await;
    assert_eq!(refused.code(), "idempotency_key_reused_with_different_body");
    assert_eq!(tip(&house.bare()).await, base, "Git is untouched");
    let b = house.propose("key-of-b-1", "docs/b.md", "# B\n").await;

    an_agents_token_cannot_decide(&house, &a).await;

    // A is approved; B on the old base is refused with both ids.
    let (status, landed) = approve(&house, &a).await;
    assert_eq!((status, landed["replayed"].as_bool()), (200, Some(false)), "{landed}");
    let commit_a = landed["commit"].as_str().expect("a commit").to_owned();
    assert_eq!(tip(&house.bare()).await, commit_a);
    let (status, stale) = approve(&house, &b).await;
    assert_eq!((status, stale["code"].as_str()), (409, Some("proposal_stale")), "{stale}");
    assert_eq!(
        (stale["base_oid"].as_str(), stale["branch_head"].as_str()),
        (Some(base.as_str()), Some(commit_a.as_str()))
    );

    // B2 on the new base; the crash comes after Git and before the store; approve again replays.
    let b2 = house.propose("key-of-b-2", "docs/b.md", "# B\n").await;
    house.restart(&Options { kill_at: Some("finish:1".to_owned()), ..Options::default() }).await;
    assert!(house.approve(&b2).await.is_none(), "killed after Git, before the store");
    house.restart(&Options::default()).await;
    let (status, replay) = approve(&house, &b2).await;
    assert_eq!((status, replay["replayed"].as_bool()), (200, Some(true)), "{replay}");
    assert_eq!(commits(&house.bare()).await, 3, "the README, A and B2");

    // Replays hold after the restart, for every answer.
    let (status, again) = approve(&house, &a).await;
    assert_eq!(
        (status, again["commit"].as_str(), again["replayed"].as_bool()),
        (200, Some(commit_a.as_str()), Some(true))
    );
    let (status, again) = approve(&house, &b).await;
    assert_eq!(
        (status, again["code"].as_str(), again["replayed"].as_bool()),
        (409, Some("proposal_stale"), Some(true))
    );
    let receipt = house.agent.call("propose_gitnest_file_import", arguments).await;
    assert_eq!(
        (receipt.ok()["proposal_id"].as_str(), receipt.ok()["replayed"].as_bool()),
        (Some(a.as_str()), Some(true))
    );

    declined_and_expired_refuse(&mut house).await;
    what_git_says(&house, &commit_a, &a).await;
}

async fn an_agents_token_cannot_decide(house: &House, proposal: &str) {
    let url = format!("{}/api/v1/proposals/{proposal}/approve", house.server.url);
    let request = reqwest::Client::new().post(url).bearer_auth(&house.agent.access).json(&json!({}));
    let denied = request.send().await.expect("the server answers");
    assert_eq!(denied.status().as_u16(), 403);
    assert_eq!(denied.json::<Value>().await.expect("a problem")["code"], "agent_scope_denied");
}

async fn declined_and_expired_refuse(house: &mut House) {
    let declined = house.propose("key-of-c-1", "c.txt", "c\n").await;
    let path = format!("/api/v1/proposals/{declined}/decline");
    let (status, body) = house.api(Method::POST, &path, Some(json!({ "reason": "Not now" }))).await;
    assert_eq!((status.as_u16(), body["status"].as_str()), (200, Some("declined")), "{body}");
    let (_, again) = house.api(Method::POST, &path, Some(json!({ "reason": "Not now" }))).await;
    assert_eq!(again["replayed"], true);
    let (status, refused) = approve(house, &declined).await;
    assert_eq!((status, refused["code"].as_str()), (409, Some("proposal_declined")));
    let read = house.agent.call("read_proposal", json!({ "proposal_id": declined })).await;
    assert_eq!(read.ok()["reason"], "Not now");

    let withdrawn = house.propose("key-of-w-1", "w.txt", "w\n").await;
    house.agent.call("withdraw_proposal", json!({ "proposal_id": withdrawn })).await.ok();
    let (status, refused) = approve(house, &withdrawn).await;
    assert_eq!((status, refused["code"].as_str()), (409, Some("proposal_withdrawn")));

    let data = house.data.folder();
    std::fs::write(data.join("config.toml"), "proposal_lifetime_s = 0\n")
        .expect("a configuration can be written");
    house.restart(&Options::default()).await;
    let expired = house.propose("key-of-e-1", "e.txt", "e\n").await;
    let (status, refused) = approve(house, &expired).await;
    assert_eq!((status, refused["code"].as_str()), (409, Some("proposal_expired")));
    std::fs::remove_file(data.join("config.toml")).expect("it can be removed");
    house.restart(&Options::default()).await;
    let (status, refused) = approve(house, &declined).await;
    assert_eq!((status, refused["code"].as_str()), (409, Some("proposal_declined")), "after a restart too");
    let (_, again) = house.api(Method::POST, &path, Some(json!({ "reason": "Not now" }))).await;
    assert_eq!(again["replayed"], true, "after a restart too");
    let (status, refused) = approve(house, &withdrawn).await;
    assert_eq!((status, refused["code"].as_str()), (409, Some("proposal_withdrawn")), "after a restart too");
}

/// Authors, committers, trailers; and the signature in a fresh clone, with the printed allowed signers.
async fn what_git_says(house: &House, commit: &str, proposal: &str) {
    let folder = house.data.folder();
    git_ok(&folder, &["clone", "-q", &house.clone_url(), "fresh"]).await;
    let clone = folder.join("fresh");
    let log = git_ok(&clone, &["log", "-1", "--format=%an <%ae>|%cn <%ce>|%B", commit]).await;
    let author =
        format!("Test agent (via Olivia Owner) <connection-{}@countersign.invalid>", house.connection);
    assert!(log.starts_with(&format!("{author}|Olivia Owner <olivia@countersign.example>|")), "{log}");
    assert!(
        log.contains(&format!("Proposal: {proposal}")) && log.contains("Approved-by: Olivia Owner <"),
        "{log}"
    );

    let path = format!("/api/v1/repositories/{}/commits/{commit}", house.repository);
    let (_, shown) = house.api(Method::GET, &path, None).await;
    let signers = shown["allowed_signers"].as_str().expect("the line is printed").to_owned();
    std::fs::write(clone.join("signers"), format!("{signers}\n")).expect("it can be written");
    let check = ["-c", "gpg.format=ssh", "-c", "gpg.ssh.allowedSignersFile=signers", "verify-commit"];
    let verify = async |oid: &str| git(&clone, &[&check[..], &[oid]].concat()).await.status.success();
    assert!(verify(commit).await, "git accepts the signature");

    let bytes = git_ok(&clone, &["cat-file", "commit", commit]).await + "\n";
    let same = clone.join("same");
    std::fs::write(&same, &bytes).expect("it can be written");
    assert_eq!(git_ok(&clone, &["hash-object", "-t", "commit", "same"]).await, commit, "unchanged bytes");
    let forged = clone.join("forged");
    std::fs::write(&forged, bytes.replacen("Write docs/a.md", "Write docs/b.md", 1))
        .expect("it can be written");
    let oid = git_ok(&clone, &["hash-object", "-t", "commit", "-w", "forged"]).await;
    assert_ne!(oid, commit);
    assert!(!verify(&oid).await, "one changed byte breaks it");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scenario_of_a_file_import_on_sqlite() {
    scenario(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scenario_of_a_file_import_on_postgres() {
    scenario(Engine::Postgres).await;
}
