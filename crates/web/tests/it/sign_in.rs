//! Signing in and out.

use http::StatusCode;

use crate::house::{House, MAIL, PASSWORD};

#[tokio::test]
async fn a_page_sends_to_sign_in_and_back_again() {
    let house = House::new().await;
    let away = house.get("/connected?x=1", &[]).await;
    assert_eq!(away.goes_to(), "/sign-in?to=/connected");
    let page = house.get("/sign-in?to=/connected", &[]).await;
    let (csrf, cookie, to) = (page.field("csrf"), page.cookie("cs_form").unwrap(), page.field("to"));
    let fields = [("csrf", csrf.as_str()), ("mail", MAIL), ("password", PASSWORD), ("to", to.as_str())];
    let answer = house.post("/sign-in", &cookie, &fields).await;
    assert_eq!(answer.goes_to(), "/connected");
    assert!(answer.header("set-cookie").contains("HttpOnly; SameSite=Lax"), "{:?}", answer.headers);
}

#[tokio::test]
async fn a_consent_handle_survives_the_sign_in() {
    let house = House::new().await;
    let away = house.get("/external-assistant-authorize?h=Ab_-9", &[]).await;
    let page = house.get(away.goes_to(), &[]).await;
    assert_eq!(page.field("to"), "/external-assistant-authorize?h=Ab_-9");
}

#[tokio::test]
async fn sign_in_leads_to_no_foreign_address() {
    let house = House::new().await;
    let page = house.get("/sign-in?to=//evil.example/approvals", &[]).await;
    let (csrf, cookie) = (page.field("csrf"), page.cookie("cs_form").unwrap());
    assert_eq!(page.field("to"), "/");
    for to in ["https://evil.example", "//evil.example", "/\\evil.example"] {
        let fields = [("csrf", csrf.as_str()), ("mail", MAIL), ("password", PASSWORD), ("to", to)];
        assert_eq!(house.post("/sign-in", &cookie, &fields).await.goes_to(), "/");
    }
}

#[tokio::test]
async fn a_wrong_password_is_401_and_keeps_the_mail_address() {
    let house = House::new().await;
    let page = house.get("/sign-in", &[]).await;
    let (csrf, cookie) = (page.field("csrf"), page.cookie("cs_form").unwrap());
    let fields = [("csrf", csrf.as_str()), ("mail", MAIL), ("password", "wrong"), ("to", "")];
    let answer = house.post("/sign-in", &cookie, &fields).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert!(answer.text.contains("sign_in_failed") && answer.text.contains(&format!("value=\"{MAIL}\"")));
    assert!(answer.cookie("cs_session").is_none());
}

#[tokio::test]
async fn signing_out_ends_the_session_in_the_store() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let csrf = house.csrf(&cookie).await;
    let out = house.post("/sign-out", &cookie, &[("csrf", &csrf)]).await;
    assert_eq!(out.goes_to(), "/sign-in");
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    // The old cookie, kept by whoever stole it, opens nothing.
    assert_eq!(house.get("/", &[("cookie", &cookie)]).await.goes_to(), "/sign-in");
}

#[tokio::test]
async fn the_password_again_moves_the_session_to_a_new_token() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let csrf = house.csrf(&cookie).await;
    let wrong =
        house.post("/sudo", &cookie, &[("csrf", &csrf), ("password", "wrong"), ("to", "/connected")]).await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    let answer =
        house.post("/sudo", &cookie, &[("csrf", &csrf), ("password", PASSWORD), ("to", "/connected")]).await;
    assert_eq!(answer.goes_to(), "/connected");
    let fresh = answer.cookie("cs_session").unwrap();
    assert_ne!(fresh, cookie);
    assert_eq!(house.get("/", &[("cookie", &cookie)]).await.goes_to(), "/sign-in");
    assert_eq!(house.get("/approvals", &[("cookie", &fresh)]).await.status, StatusCode::OK);
}
