//! The REST API: what it makes, lists, changes, and how it refuses.

use http::StatusCode;
use serde_json::{Value, json};

use crate::house::{House, MAIL, PASSWORD};

#[tokio::test]
async fn a_token_is_made_by_password_listed_without_its_secret_and_revoked() {
    let house = House::new().await;
    let body = json!({ "mail": MAIL, "password": PASSWORD, "name": "laptop", "scopes": ["api"], "days": 30 });
    let made = house.call("POST", "/api/v1/tokens", "", body).await.json();
    let token = made["token"].as_str().unwrap();
    let listed = house.call("GET", "/api/v1/tokens", token, Value::Null).await;
    assert_eq!(listed.json()["items"][0]["name"], "laptop");
    assert!(!listed.text.contains(token));
    let revoked = house
        .call("DELETE", &format!("/api/v1/tokens/{}", made["id"].as_str().unwrap()), token, Value::Null)
        .await;
    assert_eq!(revoked.status, StatusCode::NO_CONTENT);
    assert_eq!(
        house.call("GET", "/api/v1/tokens", token, Value::Null).await.status,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn attempts_to_make_a_token_are_counted_like_those_to_sign_in() {
    let house = House::new().await;
    let body = json!({ "mail": MAIL, "password": "wrong", "name": "x", "scopes": ["api"], "hours": 1 });
    for _ in 0..5 {
        assert_eq!(
            house.call("POST", "/api/v1/tokens", "", body.clone()).await.status,
            StatusCode::UNAUTHORIZED
        );
    }
    let refused = house.call("POST", "/api/v1/tokens", "", body).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_ne!(refused.header("retry-after"), "");
}

#[tokio::test]
async fn me_tells_person_workspace_and_scopes() {
    let house = House::new().await;
    let token = house.token(&["api", "repo:read"]).await;
    let me = house.call("GET", "/api/v1/me", &token, Value::Null).await.json();
    assert_eq!(me["mail"], MAIL);
    assert_eq!(me["workspace"]["slug"], "engines");
    assert_eq!(me["scopes"], json!(["repo:read", "api"]));
}

#[tokio::test]
async fn projects_and_members_are_made_and_changed() {
    let house = House::new().await;
    let token = house.token(&["api", "proposals:decide"]).await;
    let made = house.call("POST", "/api/v1/projects", &token, json!({ "name": "Engine" })).await;
    assert_eq!(made.status, StatusCode::CREATED);
    let names: Vec<Value> = house.call("GET", "/api/v1/projects", &token, Value::Null).await.json()["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["name"].clone())
        .collect();
    assert_eq!(names, [json!("Engine"), json!("General")]);
    let members = format!("/api/v1/projects/{}/members", made.json()["id"].as_str().unwrap());
    let new = json!({ "mail": "bob@example.org", "name": "Bob", "password": "another long sentence", "role": "viewer" });
    let added = house.call("POST", &members, &token, new).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    let one = format!("{members}/{}", added.json()["user_id"].as_str().unwrap());
    let changed = house.call("PATCH", &one, &token, json!({ "role": "editor" })).await;
    assert_eq!(changed.json()["role"], "editor");
    let listed = house.call("GET", &members, &token, Value::Null).await;
    assert_eq!(listed.json()["items"], json!([changed.json()]));
    assert_eq!(changed.json()["mail"], "bob@example.org");
    let password = house
        .call("POST", &format!("{one}/password"), &token, json!({ "password": "yet another long sentence" }))
        .await;
    assert_eq!(password.status, StatusCode::NO_CONTENT, "{}", password.text);
    let body = json!({ "mail": "bob@example.org", "password": "yet another long sentence", "name": "x",
        "scopes": ["api"], "hours": 1 });
    assert_eq!(house.call("POST", "/api/v1/tokens", "", body).await.status, StatusCode::CREATED);
    let refused = house.call("POST", "/api/v1/projects", &token, json!({ "name": "Engine" })).await;
    assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::CONFLICT, &json!("name_taken")));
}

#[tokio::test]
async fn a_repository_is_made_switched_on_and_moved() {
    let house = House::new().await;
    let token = house.token(&["api"]).await;
    let projects = house.call("GET", "/api/v1/projects", &token, Value::Null).await.json();
    let general = projects["items"][0]["id"].clone();
    let made = house
        .call("POST", "/api/v1/repositories", &token, json!({ "name": "notes", "project_id": general }))
        .await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let made = made.json();
    assert_eq!(made["clone_url"], "http://localhost:8420/git/engines/notes.git");
    assert_eq!((&made["gitnest"], &made["default_branch"]), (&json!(false), &json!("main")));
    let other =
        house.call("POST", "/api/v1/projects", &token, json!({ "name": "Other" })).await.json()["id"].clone();
    let one = format!("/api/v1/repositories/{}", made["id"].as_str().unwrap());
    let changed =
        house.call("PATCH", &one, &token, json!({ "gitnest": true, "project_id": other })).await.json();
    assert_eq!((&changed["gitnest"], &changed["project_id"]), (&json!(true), &other));
    let listed = house.call("GET", "/api/v1/repositories", &token, Value::Null).await.json();
    let item = listed["items"][0].as_object().unwrap();
    assert!(item.iter().all(|(name, value)| changed[name] == *value), "{item:?} {changed}");
}

#[tokio::test]
async fn refusals_are_problem_documents_with_code_and_next_action() {
    let house = House::new().await;
    let token = house.token(&["api"]).await;
    for (method, path, body, status, code) in [
        ("POST", "/api/v1/projects", json!({ "name": "x", "colour": "red" }), 400, "invalid_arguments"),
        ("POST", "/api/v1/projects", json!({}), 400, "invalid_arguments"),
        ("GET", "/api/v1/proposals?status=open", Value::Null, 400, "invalid_arguments"),
        ("PATCH", "/api/v1/repositories/x", json!({}), 404, "not_found"),
        (
            "POST",
            "/api/v1/repositories/import",
            json!({ "folder": "relative", "name": "a", "project_id": "0190f0f0-0000-7000-8000-000000000001" }),
            400,
            "invalid_arguments",
        ),
        ("GET", "/api/v1/proposals/0190f0f0-0000-7000-8000-000000000001", Value::Null, 404, "not_found"),
    ] {
        let answer = house.call(method, path, &token, body).await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path}: {}", answer.text);
        assert_eq!(answer.header("content-type"), "application/problem+json", "{method} {path}");
        let problem = answer.json();
        assert_eq!((&problem["code"], &problem["status"]), (&json!(code), &json!(status)), "{method} {path}");
        assert!(!problem["next_action"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_password_stands_in_no_answer() {
    let house = House::new().await;
    let body = json!({ "mail": MAIL, "password": 12_345_678_901_234_u64, "name": "x", "scopes": ["api"], "hours": 1 });
    let answer = house.call("POST", "/api/v1/tokens", "", body).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(!answer.text.contains("12345678901234"), "{}", answer.text);
}

#[tokio::test]
async fn a_method_that_is_not_served_and_a_body_that_is_too_large_are_told_as_such() {
    let house = House::new().await;
    let token = house.token(&["api"]).await;
    let put = house.call("PUT", "/api/v1/projects", &token, json!({})).await;
    assert_eq!(
        (put.status, &put.json()["code"]),
        (StatusCode::METHOD_NOT_ALLOWED, &json!("method_not_allowed"))
    );
    assert_eq!(put.header("content-type"), "application/problem+json");
    assert!(put.header("allow").contains("GET") && put.header("allow").contains("POST"), "{put:?}");
    let large = house.call("POST", "/api/v1/projects", &token, json!({ "name": "x".repeat(70_000) })).await;
    assert_eq!(
        (large.status, &large.json()["code"]),
        (StatusCode::PAYLOAD_TOO_LARGE, &json!("body_too_large"))
    );
}
