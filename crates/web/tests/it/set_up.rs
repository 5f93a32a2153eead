//! First set-up: one winner, gone ever after.

use http::StatusCode;

use crate::house::{House, set_up};

#[tokio::test]
async fn the_link_makes_the_owner_once_and_is_gone_ever_after() {
    let house = House::empty().await;
    let code = house.code().await;
    let page = house.get("/setup", &[]).await;
    let (csrf, cookie) = (page.field("csrf"), page.cookie("cs_form").unwrap());
    let first = house.post("/setup", &cookie, &set_up(&code, &csrf)).await;
    assert_eq!(first.goes_to(), "/connected");
    let session = first.cookie("cs_session").unwrap();
    let connected = house.get("/connected", &[("cookie", &session)]).await;
    assert_eq!(connected.status, StatusCode::OK);
    assert!(connected.text.contains("Ada Lovelace") && connected.text.contains("Analytical Engines"));
    assert_eq!(house.get("/setup", &[]).await.status, StatusCode::NOT_FOUND);
    assert_eq!(house.post("/setup", &cookie, &set_up(&code, &csrf)).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_wrong_code_makes_nobody_an_owner_and_loses_nothing_that_was_typed() {
    let house = House::empty().await;
    house.code().await;
    let page = house.get("/setup", &[]).await;
    let (csrf, cookie) = (page.field("csrf"), page.cookie("cs_form").unwrap());
    let wrong = format!("cs_st_{}", "A".repeat(43));
    let answer = house.post("/setup", &cookie, &set_up(&wrong, &csrf)).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert!(answer.cookie("cs_session").is_none());
    assert!(answer.text.contains("value=\"Ada Lovelace\"") && answer.text.contains("role=\"alert\""));
    assert_eq!(house.get("/setup", &[]).await.status, StatusCode::OK);
}

#[tokio::test]
async fn what_is_wrong_with_a_field_is_said_beside_it() {
    let house = House::empty().await;
    let code = house.code().await;
    let page = house.get("/setup", &[]).await;
    let (csrf, cookie) = (page.field("csrf"), page.cookie("cs_form").unwrap());
    let mut fields = set_up(&code, &csrf);
    fields[3] = ("workspace_slug", "Not A Slug!");
    let answer = house.post("/setup", &cookie, &fields).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.text.contains("2 to 40 of the characters a-z, 0-9 and -"), "{}", answer.text);
    assert!(answer.text.contains("name=\"workspace_slug\"") && answer.text.contains("aria-invalid=\"true\""));
}

#[tokio::test]
async fn who_comes_second_is_told_that_it_is_done_and_where_to_sign_in() {
    let house = House::empty().await;
    let code = house.code().await;
    let page = house.get("/setup", &[]).await;
    let (csrf, cookie) = (page.field("csrf"), page.cookie("cs_form").unwrap());
    let fields = set_up(&code, &csrf);
    let (one, two) =
        tokio::join!(house.post("/setup", &cookie, &fields), house.post("/setup", &cookie, &fields));
    let late = [one, two].into_iter().find(|answer| answer.status != StatusCode::SEE_OTHER).unwrap();
    let later = [house.get("/setup", &[]).await, house.post("/setup", &cookie, &fields).await];
    for answer in later.into_iter().chain([late]) {
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        assert!(
            answer.text.contains("set up already") && answer.text.contains("/sign-in"),
            "{}",
            answer.text
        );
        assert!(!answer.text.contains("<form"), "there is nothing to fill in: {}", answer.text);
    }
}
