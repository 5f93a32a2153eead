//! Must show: with a full disk, and with a database that another holds, calls say what is wrong; nothing is half done,
//! and everything goes on where it stood as soon as it can.
#![cfg(test)]

use std::path::PathBuf;
use std::time::Duration;

use countersign_testkit::agent::Answer;
use countersign_testkit::data::{Data, Engine};
use countersign_testkit::holder::Holder;
use countersign_testkit::house::House;
use countersign_testkit::mount::{SmallDisk, is_inside};
use countersign_testkit::repo::{commits, git, git_ok, tip};
use countersign_testkit::server::Options;
use reqwest::Method;
use serde_json::{Value, json};

const MIB: u32 = 48;

/// A large proposal, so that the log of the database has to grow.
async fn propose(house: &House, n: usize) -> Answer {
    let text = format!("{n} {}\n", "x".repeat(90_000));
    let import = house.import(&format!("large-proposal-{n}"), &format!("large/{n}.txt"), &text);
    house.agent.call("propose_gitnest_file_import", import).await
}

async fn status(house: &House, id: &str) -> Value {
    let (code, shown) = house.api(Method::GET, &format!("/api/v1/proposals/{id}"), None).await;
    assert!(code.is_success(), "a full disk does not keep anybody from reading: {code} {shown}");
    shown["status"].clone()
}

async fn approved(house: &House, id: &str) -> (u16, Value) {
    let (status, body) = house.approve(id).await.expect("the server answers");
    (status.as_u16(), body)
}

/// A clone with one commit more, outside of the small disk.
async fn work_tree(house: &House, name: &str) -> PathBuf {
    let folder = house.data.folder().with_extension(name);
    git_ok(&std::env::temp_dir(), &["clone", "-q", &house.clone_url(), folder.to_str().unwrap()]).await;
    for (key, value) in [("user.name", "Pusher"), ("user.email", "pusher@countersign.example")] {
        git_ok(&folder, &["config", key, value]).await;
    }
    std::fs::write(folder.join("pushed.txt"), "x".repeat(200_000)).unwrap();
    git_ok(&folder, &["add", "-A"]).await;
    git_ok(&folder, &["commit", "-q", "-m", "Pushed"]).await;
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_the_database_refuses_and_loses_nothing() {
    if !is_inside("a_full_disk_of_the_database_refuses_and_loses_nothing") {
        return;
    }
    let data = Data::new(Engine::Sqlite).await;
    let disk = SmallDisk::over(&data.folder(), MIB);
    let house = House::build_on(data, &Options::default()).await;
    let waiting = house.propose("before-it-is-full", "waiting.txt", "x\n").await;
    let before = tip(&house.bare()).await;
    disk.fill();
    let mut taken = Vec::new();
    let refused = loop {
        let answer = propose(&house, taken.len()).await;
        match answer.body["result"]["structuredContent"]["proposal_id"].as_str() {
            Some(id) => taken.push(id.to_owned()),
            None => break answer.refusal(),
        }
        assert!(taken.len() < 200, "the disk is not full");
    };
    assert_eq!(refused["code"], "disk_full", "{refused}");
    assert!(refused["next_action"].as_str().is_some_and(|next| next.contains("make room")), "{refused}");
    let (code, body) = approved(&house, &waiting).await;
    assert_eq!((code, body["code"].as_str()), (507, Some("disk_full")), "{body}");
    assert_eq!(status(&house, &waiting).await, "pending");
    assert_eq!(tip(&house.bare()).await, before, "nothing is half done");

    disk.empty();
    for id in taken.iter().chain([&waiting]) {
        assert_eq!(status(&house, id).await, "pending", "what was answered is there");
    }
    let again = propose(&house, taken.len()).await;
    assert_eq!(again.ok()["replayed"], false, "what was refused was not kept");
    let (code, body) = approved(&house, &waiting).await;
    assert_eq!((code, &body["replayed"]), (200, &json!(false)), "{body}");
    git_ok(&house.bare(), &["fsck", "--strict"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_the_repositories_refuses_and_leaves_them_as_they_were() {
    if !is_inside("a_full_disk_of_the_repositories_refuses_and_leaves_them_as_they_were") {
        return;
    }
    let data = Data::new(Engine::Sqlite).await;
    std::fs::create_dir(data.repositories()).unwrap();
    let disk = SmallDisk::over(&data.repositories(), MIB);
    let house = House::build_on(data, &Options::default()).await;
    let waiting = house.propose("before-it-is-full", "waiting.txt", &"text\n".repeat(10_000)).await;
    let work = work_tree(&house, "work").await;
    let before = tip(&house.bare()).await;
    disk.fill();

    let (code, body) = approved(&house, &waiting).await;
    assert_eq!((code, body["code"].as_str()), (503, Some("proposal_failed")), "{body}");
    assert!(
        body["reason"].as_str().is_some_and(|said| said.contains("disk of the repositories is full")),
        "{body}"
    );
    assert_eq!(status(&house, &waiting).await, "failed");
    let pushed = git(&work, &["push", "-q", "origin", "HEAD:refs/heads/pushed"]).await;
    let said = String::from_utf8_lossy(&pushed.stderr).into_owned();
    assert!(!pushed.status.success() && said.contains("No space left"), "{said}");
    let new = json!({ "name": "second", "project_id": house.project });
    let (code, body) = house.api(Method::POST, "/api/v1/repositories", Some(new.clone())).await;
    assert_eq!((code.as_u16(), body["code"].as_str()), (507, Some("disk_full")), "{body}");
    let folder = json!({ "name": "third", "project_id": house.project, "folder": work });
    let (code, body) = house.api(Method::POST, "/api/v1/repositories/import", Some(folder.clone())).await;
    assert_eq!((code.as_u16(), body["code"].as_str()), (507, Some("disk_full")), "{body}");
    assert_eq!(tip(&house.bare()).await, before);
    let refs = git_ok(&house.bare(), &["for-each-ref", "--format=%(refname)"]).await;
    assert_eq!(refs, "refs/heads/main", "nothing is half done");

    disk.empty();
    git_ok(&house.bare(), &["fsck", "--strict"]).await;
    let (code, body) = approved(&house, &waiting).await;
    assert_eq!((code, &body["replayed"]), (200, &json!(false)), "{body}");
    assert_eq!(commits(&house.bare()).await, 2);
    git_ok(&work, &["push", "-q", "origin", "HEAD:refs/heads/pushed"]).await;
    for (path, body) in [("/api/v1/repositories", new), ("/api/v1/repositories/import", folder)] {
        let (code, body) = house.api(Method::POST, path, Some(body)).await;
        assert!(code.is_success(), "{path}: {code} {body}");
    }
    git_ok(&house.bare(), &["fsck", "--strict"]).await;
    std::fs::remove_dir_all(work).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_another_holds_refuses_for_the_time_and_loses_nothing() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let waiting = house.propose("before-it-is-held", "waiting.txt", "x\n").await;
    let holder = Holder::of(&house.data.folder().join("countersign.db")).await;
    let import = house.import("while-it-is-held", "held.txt", "x\n");
    let (refused, (code, body)) = tokio::join!(
        house.agent.call("propose_gitnest_file_import", import.clone()),
        approved(&house, &waiting)
    );
    assert_eq!(refused.refusal()["code"], "store_unavailable");
    assert_eq!((code, body["code"].as_str()), (503, Some("store_unavailable")), "{body}");
    assert_eq!(status(&house, &waiting).await, "pending", "reading goes on");
    holder.give_back().await;
    // What was queued behind the refused ones may take its turn first.
    let again = tokio::time::timeout(Duration::from_mins(1), async {
        loop {
            let answer = house.agent.call("propose_gitnest_file_import", import.clone()).await;
            if answer.body["result"]["isError"] != json!(true) {
                return answer;
            }
        }
    });
    let again = again.await.expect("it goes on");
    assert_eq!(again.ok()["replayed"], false, "what was refused was not kept");
    let (code, body) = approved(&house, &waiting).await;
    assert_eq!((code, &body["replayed"]), (200, &json!(false)), "{body}");
}
