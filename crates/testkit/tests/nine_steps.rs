//! Must show: the nine steps of a connection with a repository; each takes effect at the next call. And the
//! refusals of a list's arguments.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use countersign_testkit::agent::Agent;
use countersign_testkit::data::Engine;
use countersign_testkit::house::{House, PASSWORD, SCOPE};
use countersign_testkit::server::Options;
use reqwest::Method;
use serde_json::{Value, json};

async fn nine_steps(engine: Engine) {
    let mut house = House::build(engine, &Options::default()).await;
    // 1. A fresh connection sees nothing.
    let fresh = Agent::connect(&house.server.url, &mut house.owner, "Fresh", PASSWORD, SCOPE).await;
    let granted = fresh.call("list_granted_resources", json!({})).await;
    assert_eq!(granted.ok(), &json!({ "projects": [], "resources": [] }));

    // 2. Project A is on the house's own agent: it sees A's repository.
    let list = json!({ "project_id": house.project, "resource_type": "gitnest_repository" });
    let listed = house.agent.call("list_project_resources", list.clone()).await;
    assert_eq!(listed.ok()["items"][0]["id"], Value::String(house.repository.clone()));
    assert_eq!(fresh.call("list_project_resources", list.clone()).await.code(), "not_in_project");

    // 3. It reads it.
    let read = json!({ "repository_id": house.repository, "path": "README.md" });
    let file = house.agent.call("read_gitnest_repository", read.clone()).await;
    assert!(
        file.ok()["file"]["text"].as_str().is_some_and(|text| text.contains("# demo")),
        "{:?}",
        file.body
    );

    // 4. A repository in project B is not in a project of the connection.
    let (_, b) = house.api(Method::POST, "/api/v1/projects", Some(json!({ "name": "B" }))).await;
    let other = json!({ "name": "other", "project_id": b["id"] });
    let (_, other) = house.api(Method::POST, "/api/v1/repositories", Some(other)).await;
    let path = format!("/api/v1/repositories/{}", other["id"].as_str().expect("an id"));
    house.api(Method::PATCH, &path, Some(json!({ "gitnest": true }))).await;
    let refused = house.agent.call("read_gitnest_repository", json!({ "repository_id": other["id"] })).await;
    assert_eq!(refused.code(), "not_in_project");

    // 5. A write with a token that may only read is 403 insufficient_scope.
    let reader =
        Agent::connect(&house.server.url, &mut house.owner, "Reader", PASSWORD, "countersign:read").await;
    let refused = reader.call("propose_gitnest_file_import", house.import("step-five", "x.txt", "x\n")).await;
    assert_eq!(refused.status.as_u16(), 403);
    let challenge = refused.headers["www-authenticate"].to_str().expect("a challenge");
    assert!(
        challenge.contains("insufficient_scope") && challenge.contains("countersign:write"),
        "{challenge}"
    );

    // 6. With the right token it works.
    house.propose("step-six", "x.txt", "x\n").await;

    // 7. After the repository moved to B it is not in a project of the connection.
    let mine = format!("/api/v1/repositories/{}", house.repository);
    let (status, body) = house.api(Method::PATCH, &mine, Some(json!({ "project_id": b["id"] }))).await;
    assert!(status.is_success(), "{status} {body}");
    assert_eq!(house.agent.call("read_gitnest_repository", read.clone()).await.code(), "not_in_project");
    house.api(Method::PATCH, &mine, Some(json!({ "project_id": house.project }))).await;
    house.agent.call("read_gitnest_repository", read.clone()).await.ok();

    // 8. After the project was taken off it is not, either.
    house.remove_project().await;
    assert_eq!(house.agent.call("read_gitnest_repository", read.clone()).await.code(), "not_in_project");

    // 9. After the revoke every method is 401, and a call says why.
    house.revoke().await;
    let refused = house.agent.call("read_gitnest_repository", read).await;
    assert_eq!(refused.status.as_u16(), 401);
    assert_eq!(refused.code(), "connection_revoked");
    assert_eq!(house.agent.send("tools/list", json!({})).await.status.as_u16(), 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_nine_steps_with_a_repository_on_sqlite() {
    nine_steps(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_nine_steps_with_a_repository_on_postgres() {
    nine_steps(Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_arguments_of_a_list_name_the_field_and_the_rule() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let good = json!({ "project_id": house.project, "resource_type": "gitnest_repository" });
    let with = |field: &str, value: Value| {
        let mut arguments = good.clone();
        arguments[field] = value;
        arguments
    };
    let without_type = json!({ "project_id": house.project });
    let cases = [
        ("limit", with("limit", json!(51))),
        ("offset", with("offset", json!(-1))),
        ("search", with("search", json!("x".repeat(101)))),
        ("resource_type", with("resource_type", json!("project"))),
        ("resource_type", without_type),
        ("surprise", with("surprise", json!(true))),
    ];
    for (field, arguments) in cases {
        let refused = house.agent.call("list_project_resources", arguments).await;
        assert!(refused.status.is_success(), "a tool result, not a failure of the protocol");
        assert_eq!(refused.code(), "invalid_arguments", "{field}");
        let facts = refused.refusal();
        assert_eq!(facts["field"], field, "{facts}");
        assert!(facts["rule"].as_str().is_some_and(|rule| !rule.is_empty()), "{facts}");
    }
    house.agent.call("list_project_resources", good).await.ok();
}
