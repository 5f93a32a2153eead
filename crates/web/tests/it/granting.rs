//! Connections and people over the API: what gives more takes a token that may decide, what takes away does not.

use http::StatusCode;
use serde_json::{Value, json};

use crate::house::House;

#[tokio::test]
async fn a_connection_is_made_granted_switched_and_revoked() {
    let house = House::new().await;
    let (api, decide) = (house.token(&["api"]).await, house.token(&["proposals:decide"]).await);
    let made =
        house.call("POST", "/api/v1/connections", &api, json!({ "kind": "vscode", "name": "Desk" })).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let made = made.json();
    assert_eq!(
        (&made["state"], &made["kind"], &made["grants"]),
        (&json!("pending"), &json!("vscode"), &json!([]))
    );
    let path = format!("/api/v1/connections/{}", made["id"].as_str().unwrap());
    let projects = house.call("GET", "/api/v1/projects", &api, Value::Null).await.json();
    let project = format!("{path}/projects/{}", projects["items"][0]["id"].as_str().unwrap());
    let tool = format!("{path}/tools/{}", made["tools"][0]["name"].as_str().unwrap());
    for more in [&project, &tool] {
        let refused = house.call("PUT", more, &api, Value::Null).await;
        assert_eq!(
            (refused.status, refused.json()["code"].clone()),
            (StatusCode::FORBIDDEN, json!("token_scope_denied"))
        );
        let done = house.call("PUT", more, &decide, Value::Null).await;
        assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text);
    }
    let seen = house.call("GET", &path, &api, Value::Null).await.json();
    assert_eq!((&seen["grants"][0]["name"], &seen["projects"]), (&json!("General"), &json!(["General"])));
    for less in [&project, &tool] {
        let done = house.call("DELETE", less, &api, Value::Null).await;
        assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text);
    }
    let seen = house.call("GET", &path, &api, Value::Null).await.json();
    assert_eq!((&seen["grants"], &seen["tools"][0]["on"]), (&json!([]), &json!(false)));
    let unknown = house.call("PUT", &format!("{path}/tools/nothing"), &decide, Value::Null).await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
    for replayed in [false, true] {
        let done = house.call("DELETE", &path, &api, Value::Null).await.json();
        assert_eq!((&done["withdrawn"], &done["replayed"]), (&json!(0), &json!(replayed)));
    }
    let seen = house.call("GET", &path, &api, Value::Null).await.json();
    assert_eq!(seen["state"], "revoked");
    let late = house.call("PUT", &project, &decide, Value::Null).await;
    assert_eq!(
        (late.status, late.json()["code"].clone()),
        (StatusCode::CONFLICT, json!("connection_revoked"))
    );
}

#[tokio::test]
async fn people_are_listed_made_owners_and_shut_out() {
    let house = House::new().await;
    house.member("bob@example.org").await;
    let (api, decide) = (house.token(&["api"]).await, house.token(&["proposals:decide"]).await);
    let listed = house.call("GET", "/api/v1/people", &api, Value::Null).await.json();
    let people = listed["items"].as_array().unwrap();
    let bob = people.iter().find(|one| one["mail"] == "bob@example.org").unwrap();
    assert_eq!((people.len(), &bob["role"], &bob["shut_out_at"]), (2, &json!("member"), &Value::Null));
    let path = format!("/api/v1/people/{}", bob["user_id"].as_str().unwrap());
    let owner = json!({ "role": "owner" });
    assert_eq!(house.call("PATCH", &path, &api, owner.clone()).await.status, StatusCode::FORBIDDEN);
    let done = house.call("PATCH", &path, &decide, owner).await;
    assert_eq!((done.status, done.json()["role"].clone()), (StatusCode::OK, json!("owner")));
    let gate = format!("{path}/shut-out");
    assert_eq!(house.call("PUT", &gate, &api, Value::Null).await.status, StatusCode::FORBIDDEN);
    assert_eq!(house.call("PUT", &gate, &decide, Value::Null).await.status, StatusCode::NO_CONTENT);
    let listed = house.call("GET", "/api/v1/people", &api, Value::Null).await.json();
    let shut_out = listed["items"].as_array().unwrap().iter().filter(|one| !one["shut_out_at"].is_null());
    assert_eq!(shut_out.count(), 1);
    assert_eq!(house.call("DELETE", &gate, &decide, Value::Null).await.status, StatusCode::NO_CONTENT);
    let me = house.call("GET", "/api/v1/me", &api, Value::Null).await.json();
    let own = format!("/api/v1/people/{}/shut-out", me["id"].as_str().unwrap());
    assert_eq!(house.call("PUT", &own, &decide, Value::Null).await.status, StatusCode::FORBIDDEN);
}
