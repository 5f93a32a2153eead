//! The verdict after the power came back: what is not as it was answered, and what cannot go on.

use std::collections::{BTreeMap, BTreeSet};

use countersign_testkit::house::House;
use countersign_testkit::repo::{git, git_ok};
use reqwest::Method;

use crate::load::{Book, LANES, PUSHED};

/// Everything that is wrong; nothing, when all that was answered is there and all else can be finished.
pub(crate) async fn of(house: &House, book: &Book) -> Vec<String> {
    let mut found = Vec::new();
    let fsck = git(&house.bare(), &["fsck", "--strict", "--full", "--no-dangling"]).await;
    if !fsck.status.success() {
        found.push(format!("git fsck says: {}", String::from_utf8_lossy(&fsck.stderr)));
    }
    let mut histories = BTreeMap::new();
    for lane in LANES {
        histories.insert(lane, history(house, lane).await);
    }
    for (id, lane, commit) in &book.landed {
        if !histories[lane].contains(commit) {
            found.push(format!("the commit {commit} of {id} was answered and is not in {lane}"));
        }
    }
    for commit in book.pushed.iter().filter(|commit| !histories[PUSHED].contains(*commit)) {
        found.push(format!("the push of {commit} was answered and is not in {PUSHED}"));
    }
    let landed: BTreeMap<&str, &str> =
        book.landed.iter().map(|(id, _, commit)| (id.as_str(), commit.as_str())).collect();
    for (id, lane) in &book.proposed {
        found.extend(proposal(house, (id, lane), landed.get(id.as_str()).copied()).await);
    }
    found.extend(audit(house).await);
    found
}

async fn history(house: &House, lane: &str) -> BTreeSet<String> {
    let listed = git(&house.bare(), &["rev-list", &format!("refs/heads/{lane}")]).await;
    String::from_utf8_lossy(&listed.stdout).lines().map(str::to_owned).collect()
}

/// One that had landed is executed, with its commit. Any other lands now, and once.
async fn proposal(house: &House, (id, lane): (&str, &str), commit: Option<&str>) -> Option<String> {
    let (status, shown) = house.api(Method::GET, &format!("/api/v1/proposals/{id}"), None).await;
    if !status.is_success() {
        return Some(format!("the proposal {id} was answered and is gone: {status} {shown}"));
    }
    if let Some(commit) = commit {
        let is_as_answered = shown["status"] == "executed" && shown["commit"] == commit;
        return (!is_as_answered)
            .then(|| format!("the proposal {id} was executed as {commit} and is {shown}"));
    }
    let (status, body) = house.approve(id).await.unwrap();
    let Some(commit) = body["commit"].as_str().filter(|_| status.as_u16() == 200) else {
        return Some(format!("the proposal {id} cannot go on: {status} {body}"));
    };
    let named = format!("--grep=^Proposal: {id}$");
    let times = git_ok(&house.bare(), &["rev-list", "--count", &named, &format!("refs/heads/{lane}")]).await;
    let is_in = history(house, lane).await.contains(commit);
    (times != "1" || !is_in).then(|| format!("the proposal {id} landed {times} times as {commit}"))
}

/// The chain of seals has no gap.
async fn audit(house: &House) -> Option<String> {
    let (status, verdict) = house.api(Method::GET, "/api/v1/audit/verification", None).await;
    (!status.is_success() || verdict["verdict"] == "broken")
        .then(|| format!("the audit log: {status} {verdict}"))
}
