//! Forms: of this site, of this browser, of this session, or refused.

use axum::body::Body;
use countersign_core::route::Who;
use countersign_web::route::list;
use http::StatusCode;

use crate::house::{House, MAIL, PASSWORD, request};

const ID: &str = "0190f0f0-0000-7000-8000-000000000001";

#[tokio::test]
async fn every_form_of_a_session_needs_its_token() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    for route in list().iter().filter(|route| route.method == "POST" && route.who == Who::Session) {
        let path =
            ["{id}", "{project}"].iter().fold(route.path.to_owned(), |path, key| path.replace(key, ID));
        for csrf in ["", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
            let answer = house.post(&path, &cookie, &[("csrf", csrf)]).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
            assert!(answer.text.contains("csrf_refused"), "{path}");
        }
    }
}

#[tokio::test]
async fn a_form_without_a_session_needs_the_token_of_its_cookie() {
    let house = House::new().await;
    let page = house.get("/sign-in", &[]).await;
    let (csrf, cookie) = (page.field("csrf"), page.cookie("cs_form").unwrap());
    let fields = |csrf| [("csrf", csrf), ("mail", MAIL), ("password", PASSWORD)];
    assert_eq!(house.post("/sign-in", "", &fields(&csrf)).await.status, StatusCode::FORBIDDEN);
    assert_eq!(house.post("/sign-in", &cookie, &fields("")).await.status, StatusCode::FORBIDDEN);
    assert_eq!(house.post("/sign-in", "cs_form=", &fields("")).await.status, StatusCode::FORBIDDEN);
    assert_eq!(house.post("/sign-in", &cookie, &fields(&csrf)).await.goes_to(), "/");
}

#[tokio::test]
async fn a_form_that_another_site_sent_is_refused_whatever_it_repeats() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let csrf = house.csrf(&cookie).await;
    let send = async |name: &str, value: &str| {
        let headers = [
            ("cookie", cookie.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
            (name, value),
        ];
        house
            .send(request(
                "POST",
                "/connected",
                &headers,
                Body::from(format!("csrf={csrf}&kind=codex&name=x")),
            ))
            .await
    };
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
    ] {
        let answer = send(name, value).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{name}: {value}");
        assert!(answer.text.contains("csrf_refused"), "{name}: {value}");
    }
    assert!(send("origin", "http://localhost:8420").await.goes_to().starts_with("/connected/"));
    assert!(send("sec-fetch-site", "same-origin").await.goes_to().starts_with("/connected/"));
}

#[tokio::test]
async fn a_form_that_is_too_long_is_refused_as_that() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let csrf = house.csrf(&cookie).await;
    let answer = house.post("/connected", &cookie, &[("csrf", &csrf), ("name", &"x".repeat(70_000))]).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(answer.text.contains("body_too_large"), "{}", answer.text);
}

#[tokio::test]
async fn a_method_that_is_not_served_has_a_page() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let post = house.post("/approvals", &cookie, &[]).await;
    assert_eq!(post.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(post.header("allow").contains("GET") && post.text.contains("method_not_allowed"), "{post:?}");
    assert!(post.header("content-type").starts_with("text/html"), "{post:?}");
}
