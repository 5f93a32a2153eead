//! Entity tags: a read is told when nothing changed, and of two people who change the same thing the second is refused.

use axum::body::Body;
use http::StatusCode;
use serde_json::{Value, json};

use crate::house::{Answer, House, request};

async fn ask(
    house: &House,
    (method, path): (&str, &str),
    token: &str,
    (name, tag): (&str, &str),
    body: Value,
) -> Answer {
    let bearer = format!("Bearer {token}");
    let headers = [("content-type", "application/json"), ("authorization", &*bearer), (name, tag)];
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    house.send(request(method, path, &headers, body)).await
}

/// A repository of the owner; its address.
async fn repository(house: &House, token: &str) -> String {
    let projects = house.call("GET", "/api/v1/projects", token, Value::Null).await.json();
    let new = json!({ "name": "notes", "project_id": projects["items"][0]["id"] });
    let made = house.call("POST", "/api/v1/repositories", token, new).await;
    format!("/api/v1/repositories/{}", made.json()["id"].as_str().unwrap())
}

#[tokio::test]
async fn who_knows_the_state_is_told_that_it_is_the_same() {
    let house = House::new().await;
    let token = house.token(&["api"]).await;
    let path = repository(&house, &token).await;
    let first = house.call("GET", &path, &token, Value::Null).await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 20, "{tag}");
    let same = ask(&house, ("GET", &path), &token, ("if-none-match", &tag), Value::Null).await;
    assert_eq!((same.status, same.header("etag"), same.text.as_str()), (StatusCode::NOT_MODIFIED, &*tag, ""));
    let under_settings = house.call("GET", &format!("{path}/settings"), &token, Value::Null).await;
    assert_eq!((under_settings.header("etag"), &under_settings.text), (&*tag, &first.text));
    let changed = house.call("PATCH", &path, &token, json!({ "gitnest": true })).await;
    assert_ne!(changed.header("etag"), tag);
    let fresh = ask(&house, ("GET", &path), &token, ("if-none-match", &tag), Value::Null).await;
    assert_eq!((fresh.status, fresh.header("etag")), (StatusCode::OK, changed.header("etag")));
}

#[tokio::test]
async fn nobody_overwrites_settings_that_they_did_not_see() {
    let house = House::new().await;
    let token = house.token(&["api"]).await;
    let path = repository(&house, &token).await;
    let seen = house.call("GET", &path, &token, Value::Null).await.header("etag").to_owned();
    let mine = json!({ "protected_paths": ["mine/"] });
    let done = ask(&house, ("PATCH", &path), &token, ("if-match", &seen), mine).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    let theirs = json!({ "protected_paths": ["theirs/"] });
    let late = ask(&house, ("PATCH", &path), &token, ("if-match", &seen), theirs.clone()).await;
    assert_eq!(
        (late.status, late.json()["code"].clone()),
        (StatusCode::PRECONDITION_FAILED, json!("precondition_failed"))
    );
    let present = house.call("GET", &path, &token, Value::Null).await;
    assert_eq!(present.json()["protected_paths"], json!(["mine/"]));
    for unread in ["W/\"a\"", "no tag"] {
        let refused = ask(&house, ("PATCH", &path), &token, ("if-match", unread), theirs.clone()).await;
        assert_eq!(refused.status, StatusCode::PRECONDITION_FAILED, "{unread}");
    }
    let tag = present.header("etag");
    let done = ask(&house, ("PATCH", &path), &token, ("if-match", tag), theirs.clone()).await;
    assert_eq!((done.status, done.json()["protected_paths"].clone()), (StatusCode::OK, json!(["theirs/"])));
    let any = ask(&house, ("PATCH", &path), &token, ("if-match", "*"), json!({ "gitnest": true })).await;
    assert_eq!(any.status, StatusCode::OK);
}

#[tokio::test]
async fn of_many_who_saw_the_same_settings_one_changes_them() {
    let house = House::new().await;
    let token = house.token(&["api"]).await;
    let path = repository(&house, &token).await;
    let seen = house.call("GET", &path, &token, Value::Null).await.header("etag").to_owned();
    let change = |n: usize| {
        let body = if n.is_multiple_of(2) {
            json!({ "gitnest": true })
        } else {
            json!({ "protected_paths": [format!("{n}/")] })
        };
        ask(&house, ("PATCH", &path), &token, ("if-match", &seen), body)
    };
    let done = futures_util::future::join_all((0..8).map(change)).await;
    let statuses: Vec<u16> = done.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 412].contains(status)), "{statuses:?}");
}

#[tokio::test]
async fn nobody_overwrites_a_role_that_they_did_not_see() {
    let house = House::new().await;
    house.member("bob@example.org").await;
    let token = house.token(&["api"]).await;
    let projects = house.call("GET", "/api/v1/projects", &token, Value::Null).await.json();
    let members = format!("/api/v1/projects/{}/members", projects["items"][0]["id"].as_str().unwrap());
    let listed = house.call("GET", &members, &token, Value::Null).await.json();
    let items = listed["items"].as_array().unwrap();
    let bob = items.iter().find(|one| one["mail"] == "bob@example.org").unwrap();
    let path = format!("{members}/{}", bob["user_id"].as_str().unwrap());
    let seen = house.call("GET", &path, &token, Value::Null).await;
    assert_eq!(seen.json(), *bob);
    let tag = seen.header("etag");
    let known = ask(&house, ("GET", &path), &token, ("if-none-match", tag), Value::Null).await;
    assert_eq!(known.status, StatusCode::NOT_MODIFIED);
    let role = |word: &str| json!({ "role": word });
    let done = ask(&house, ("PATCH", &path), &token, ("if-match", tag), role("editor")).await;
    assert_eq!((done.status, done.json()["role"].clone()), (StatusCode::OK, json!("editor")));
    let late = ask(&house, ("PATCH", &path), &token, ("if-match", tag), role("owner")).await;
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED, "{}", late.text);
    let fresh = house.call("GET", &path, &token, Value::Null).await;
    assert_eq!((fresh.json()["role"].clone(), fresh.header("etag")), (json!("editor"), done.header("etag")));
}
