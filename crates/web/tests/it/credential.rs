//! Every route × every kind of credential: what is not listed for a route does not open it.

use axum::body::Body;
use countersign_web::route::{Who, list};
use http::{Method, StatusCode};

use crate::house::{Answer, House, request};

const ID: &str = "0190f0f0-0000-7000-8000-000000000001";

fn address(path: &str) -> String {
    let path = path.replace("{oid}", &"a".repeat(40)).replace("{version}", "0").replace("{name}", "app.css");
    ["{id}", "{project}", "{user}"].iter().fold(path, |path, key| path.replace(key, ID))
}

async fn knock(house: &House, method: &Method, path: &str, header: (&str, &str)) -> Answer {
    house.send(request(method.as_str(), &address(path), &[header], Body::empty())).await
}

#[tokio::test]
async fn an_agents_token_is_refused_on_every_route() {
    let house = House::new().await;
    for route in list() {
        for prefix in ["cs_at_", "cs_rt_", "cs_ac_"] {
            let bearer = format!("Bearer {prefix}{}", "A".repeat(43));
            let answer = knock(&house, &route.method, route.path, ("authorization", &bearer)).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{} {} with {prefix}", route.method, route.path);
            assert!(answer.text.contains("agent_scope_denied"), "{} {}", route.method, route.path);
        }
    }
}

#[tokio::test]
async fn a_good_session_beside_an_agents_token_does_not_help_it() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let bearer = format!("Bearer cs_at_{}", "A".repeat(43));
    let answer = house.get("/approvals", &[("cookie", &cookie), ("authorization", &bearer)]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn nobody_opens_no_route_of_a_person() {
    let house = House::new().await;
    for route in list() {
        let answer = knock(&house, &route.method, route.path, ("accept", "*/*")).await;
        let route_name = format!("{} {}", route.method, route.path);
        match route.who {
            Who::Anyone | Who::Password => {}
            Who::Session if route.method == Method::GET && route.path != "/live" => {
                assert!(answer.goes_to().starts_with("/sign-in"), "{route_name}");
            }
            Who::Session | Who::Token | Who::DecidingToken => {
                assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{route_name}");
            }
        }
    }
}

#[tokio::test]
async fn a_persons_token_opens_no_page_and_a_session_no_api() {
    let house = House::new().await;
    let (token, cookie) = (house.token(&["api", "proposals:decide"]).await, house.sign_in().await);
    let bearer = format!("Bearer {token}");
    for route in list() {
        let route_name = format!("{} {}", route.method, route.path);
        match route.who {
            Who::Anyone | Who::Session => {
                let answer = knock(&house, &route.method, route.path, ("authorization", &bearer)).await;
                assert_eq!(answer.status, StatusCode::FORBIDDEN, "{route_name}");
            }
            Who::Token | Who::DecidingToken => {
                let answer = knock(&house, &route.method, route.path, ("cookie", &cookie)).await;
                assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{route_name}");
                assert!(answer.header("www-authenticate").starts_with("Bearer"), "{route_name}");
            }
            Who::Password => {}
        }
    }
}

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

#[tokio::test]
async fn a_token_that_is_not_good_is_401_on_every_api_route() {
    let house = House::new().await;
    let made_up = format!("cs_pat_{}", "A".repeat(43));
    for route in list().iter().filter(|route| route.path.starts_with("/api/")) {
        for bearer in [format!("Bearer {made_up}"), "Bearer x".to_owned(), "Basic YTpi".to_owned()] {
            let answer = knock(&house, &route.method, route.path, ("authorization", &bearer)).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{} {} {bearer}", route.method, route.path);
        }
    }
}

#[test]
fn the_list_of_routes_is_known() {
    let lines: Vec<String> = list()
        .iter()
        .map(|route| format!("{:6} {} {:?}", route.method.as_str(), route.path, route.who))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}
