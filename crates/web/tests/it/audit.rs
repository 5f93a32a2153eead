//! The audit log in a browser and over the API: for owners, filtered, verified, exported.

use countersign_core::problem::Problem;
use http::StatusCode;
use serde_json::{Value, json};

use crate::house::House;

const BOB: &str = "bob@example.org";

/// A record as a stranger could have caused it, in the owner's workspace.
async fn hostile(house: &House) {
    let sql = "INSERT INTO audit SELECT '01900000-0000-7000-8000-000000000001', id, 1000, 'connection', NULL, NULL, \
        '=cmd()', NULL, 'refused', 'not_found', '{\"path\":\"<b>\"}', NULL FROM workspace";
    let done =
        house.app().db.write(move |t| Box::pin(async move { Ok::<_, Problem>(t.exec(sql, &[]).await?) }));
    assert_eq!(done.await.unwrap(), 1);
}

async fn get(house: &House, path: &str, cookie: &str) -> crate::house::Answer {
    house.get(path, &[("cookie", cookie)]).await
}

#[tokio::test]
async fn an_owner_finds_the_log_in_the_navigation_and_nobody_else_does() {
    let house = House::new().await;
    let (owner, member) = (house.sign_in().await, house.member(BOB).await);
    let page = get(&house, "/audit", &owner).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(page.text.contains("href=\"/audit\" data-go=\"l\" aria-current=\"page\""), "{}", page.text);
    for action in ["setup.claim", "session.sign_in", "member.add"] {
        assert!(page.text.contains(action), "{action}");
    }
    let refused = get(&house, "/audit", &member).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(refused.text.contains("role_required"), "{}", refused.text);
    assert!(!get(&house, "/connected", &member).await.text.contains("href=\"/audit\""));
    let export = get(&house, "/audit/export", &member).await;
    assert_eq!(export.status, StatusCode::FORBIDDEN, "{}", export.text);
    let csrf = house.csrf(&member).await;
    let verify = house.post("/audit/verification", &member, &[("csrf", &csrf)]).await;
    assert_eq!(verify.status, StatusCode::FORBIDDEN, "{}", verify.text);
}

#[tokio::test]
async fn a_filter_is_an_address_that_the_form_and_the_export_keep() {
    let house = House::new().await;
    hostile(&house).await;
    let owner = house.sign_in().await;
    let page =
        get(&house, "/audit?text=%3Cb%3E&actor=&outcome=refused&from=1970-01-01&until=1970-01-01", &owner)
            .await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(page.text.contains("=cmd()") && !page.text.contains("setup.claim"), "{}", page.text);
    assert!(!page.text.contains("<b>\"}") && page.text.contains("value=\"&lt;b&gt;\""), "{}", page.text);
    let kept = "/audit/export?outcome=refused&amp;text=%3Cb%3E&amp;from=1970-01-01&amp;until=1970-01-01&amp;format=csv";
    assert!(page.text.contains(kept), "{}", page.text);
    assert!(page.text.contains("option value=\"refused\" selected"), "{}", page.text);
    let wrong = get(&house, "/audit?from=yesterday", &owner).await;
    assert_eq!(wrong.status, StatusCode::OK);
    assert!(wrong.text.contains("a day like 2026-11-29") && wrong.text.contains("=cmd()"), "{}", wrong.text);
}

#[tokio::test]
async fn a_verification_by_a_button_shows_its_verdict() {
    let house = House::new().await;
    let owner = house.sign_in().await;
    countersign_app::audit::seal(house.app()).await.unwrap();
    let csrf = house.csrf(&owner).await;
    let good = house.post("/audit/verification", &owner, &[("csrf", &csrf)]).await;
    assert_eq!(good.status, StatusCode::OK, "{}", good.text);
    assert!(good.text.contains("Nothing was changed"), "{}", good.text);
    assert!(good.text.contains("countersign verify audit --expect 1:"), "{}", good.text);
    let sql = "UPDATE audit SET outcome = 'refused' WHERE action = 'setup.claim'";
    let done =
        house.app().db.write(move |t| Box::pin(async move { Ok::<_, Problem>(t.exec(sql, &[]).await?) }));
    assert_eq!(done.await.unwrap(), 1);
    let bad = house.post("/audit/verification", &owner, &[("csrf", &csrf)]).await;
    assert!(bad.text.contains("was changed after it was sealed (seal 1)"), "{}", bad.text);
    assert!(get(&house, "/audit", &owner).await.text.contains("tampered with"));
}

#[tokio::test]
async fn the_api_lists_verifies_and_goes_on_where_a_page_ended() {
    let house = House::new().await;
    let token = house.token(&["api"]).await;
    for _ in 0..60 {
        assert_eq!(house.call("GET", "/api/v1/me", &token, Value::Null).await.status, StatusCode::OK);
    }
    let first = house.call("GET", "/api/v1/audit?action=person.&limit=50", &token, Value::Null).await.json();
    assert_eq!(first["items"].as_array().unwrap().len(), 50);
    assert_eq!(first["items"][0]["actor"]["name"], "Ada Lovelace");
    let next = format!("/api/v1/audit?action=person.&limit=50&after={}", first["next"].as_str().unwrap());
    let second = house.call("GET", &next, &token, Value::Null).await.json();
    assert_eq!((second["items"].as_array().unwrap().len(), &second["next"]), (10, &Value::Null));
    countersign_app::audit::seal(house.app()).await.unwrap();
    let path = "/api/v1/audit/verification";
    let verified = house.call("GET", path, &token, Value::Null).await.json();
    assert_eq!((&verified["verdict"], &verified["seals"]), (&json!("intact"), &json!(1)), "{verified}");
    let expected = format!("{path}?expect=9:{}", "0".repeat(64));
    let cut = house.call("GET", &expected, &token, Value::Null).await.json();
    assert_eq!((&cut["verdict"], &cut["fault"]["kind"]), (&json!("broken"), &json!("tail_cut")), "{cut}");
    for wrong in
        ["/api/v1/audit?after=x", "/api/v1/audit/verification?after=x", "/api/v1/audit/export?format=pdf"]
    {
        let refused = house.call("GET", wrong, &token, Value::Null).await;
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (StatusCode::BAD_REQUEST, &json!("invalid_arguments"))
        );
    }
}

#[tokio::test]
async fn an_export_is_a_file_in_which_no_strangers_text_is_a_formula() {
    let house = House::new().await;
    hostile(&house).await;
    let token = house.token(&["api"]).await;
    let csv = house.call("GET", "/api/v1/audit/export?format=csv&outcome=refused", &token, Value::Null).await;
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"audit.csv\"");
    assert!(csv.header("content-type").starts_with("text/csv"), "{csv:?}");
    let lines: Vec<&str> = csv.text.split("\r\n").collect();
    assert!(lines[0].starts_with("\"id\",\"at\",\"actor_kind\""), "{csv:?}");
    assert!(
        lines[1].contains(",\"'=cmd()\",") && lines[1].contains("\"{\"\"path\"\":\"\"<b>\"\"}\""),
        "{csv:?}"
    );
    let all = house.call("GET", "/api/v1/audit/export", &token, Value::Null).await;
    let items: Vec<Value> = all.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(items.len() > 2 && items.iter().any(|item| item["detail"]["path"] == "<b>"), "{all:?}");
    let member = house.member(BOB).await;
    assert_eq!(get(&house, "/audit/export?format=csv", &member).await.status, StatusCode::FORBIDDEN);
}
