//! What a refusal says beside its code. Which credential opens which route is the testkit's matrix.

use http::StatusCode;

use crate::house::House;

const ID: &str = "0190f0f0-0000-7000-8000-000000000001";

#[tokio::test]
async fn a_token_without_the_scope_is_told_which_one_it_lacks() {
    let house = House::new().await;
    let (reader, api) = (house.token(&["repo:read"]).await, house.token(&["api"]).await);
    let answer = house.call("GET", "/api/v1/me", &reader, serde_json::Value::Null).await;
    assert_eq!((answer.status, answer.json()["scope"].as_str()), (StatusCode::FORBIDDEN, Some("api")));
    let path = format!("/api/v1/proposals/{ID}/approve");
    let answer = house.call("POST", &path, &api, serde_json::Value::Null).await;
    assert_eq!(
        (answer.status, answer.json()["scope"].as_str()),
        (StatusCode::FORBIDDEN, Some("proposals:decide"))
    );
}
