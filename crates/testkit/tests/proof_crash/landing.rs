//! A server that is killed at a point, and what must be true after it was started again.

use countersign_testkit::house::House;
use countersign_testkit::repo::{commits, holds};
use countersign_testkit::server::Options;
use reqwest::Method;

/// A server that is killed when an execution comes by, `POINT:TIMES`.
pub(crate) fn killed_at(point: &str) -> Options {
    Options { kill_at: Some(point.to_owned()), ..Options::default() }
}

/// After a crash and a restart: a second approve answers with the one commit, and there is exactly one.
pub(crate) async fn lands_once(house: &House, proposal: &str, before: usize, what: &str) {
    lands_once_at(house, &house.server.url, proposal, (before, what)).await;
}

/// The same at the server that is asked for it, which may find another holding the repository.
pub(crate) async fn lands_once_at(house: &House, base: &str, proposal: &str, (before, what): (usize, &str)) {
    let (status, body) = house.decided_at(base, proposal).await.expect("the server answers");
    assert_eq!(status.as_u16(), 200, "{what}: {body}");
    let commit = body["commit"].as_str().expect("a commit").to_owned();
    assert!(holds(&house.bare(), &commit).await, "{what}: {commit} is not in the branch");
    assert_eq!(commits(&house.bare()).await, before + 1, "{what}: one commit, never two");
    let (_, again) = house.decided_at(base, proposal).await.expect("the server answers");
    assert_eq!(
        (again["commit"].as_str(), again["replayed"].as_bool()),
        (Some(commit.as_str()), Some(true)),
        "{what}"
    );
    let (_, shown) = house.api_at(base, Method::GET, &format!("/api/v1/proposals/{proposal}"), None).await;
    assert_eq!(shown["status"], "executed", "{what}: {shown}");
}
