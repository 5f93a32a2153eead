//! Who is let in, and what everybody else learns: nothing.

use countersign_app::repository::{self, Change};
use http::StatusCode;

use super::Garden;

const PAGES: [&str; 9] = [
    "",
    "/files/README.md",
    "/files/nothing-here",
    "/raw/README.md",
    "/blame/README.md",
    "/history",
    "/branches",
    "/search?q=x",
    "?ref=no..ref",
];

#[tokio::test]
async fn a_repository_of_somebody_else_answers_as_one_that_is_nowhere() {
    let garden = Garden::new().await;
    let token = garden.house.token(&["api", "proposals:decide"]).await;
    let call = async |method, path: &str, body| {
        let answer = garden.house.call(method, path, &token, body).await;
        assert!(answer.status.is_success(), "{}", answer.text);
        answer.json()
    };
    let other = call("POST", "/api/v1/projects", serde_json::json!({ "name": "Other" })).await;
    let member = serde_json::json!({ "mail": "eve@example.org", "name": "Eve", "password": "a long sentence of eve", "role": "owner" });
    call("POST", &format!("/api/v1/projects/{}/members", other["id"].as_str().unwrap()), member).await;
    let cookie = garden.house.sign_in_as("eve@example.org", "a long sentence of eve").await;
    let nowhere = "0190f0f0-0000-7000-8000-000000000001";
    for rest in PAGES {
        let ask = async |id: &str| {
            garden.house.get(&format!("/repositories/{id}{rest}"), &[("cookie", &cookie)]).await
        };
        let (foreign, none) = (ask(&garden.id.to_string()).await, ask(nowhere).await);
        assert_eq!(foreign.status, StatusCode::NOT_FOUND, "{rest}");
        assert_eq!((foreign.status, foreign.text), (none.status, none.text), "{rest}");
    }
    let list = garden.house.get("/repositories", &[("cookie", &cookie)]).await;
    assert!(!list.text.contains("garden"), "{}", list.text);
}

#[tokio::test]
async fn who_is_not_signed_in_comes_back_to_where_they_wanted_to_go() {
    let garden = Garden::new().await;
    let wanted = format!(
        "/repositories/{}/files/odd/a%20b%25c%23d%3Fe%22f%27g%3Ch%3E%26.txt?ref=refs/tags/v1&from=1",
        garden.id
    );
    let away = garden.house.get(&wanted, &[]).await;
    let page = garden.house.get(away.goes_to(), &[]).await;
    assert_eq!(page.field("to").replace("&amp;", "&"), wanted);
}

#[tokio::test]
async fn what_no_branch_or_tag_leads_to_is_not_shown() {
    let garden = Garden::new().await;
    let tip = garden.text("/history").await;
    let known = tip.split("/commits/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert!(garden.text(&format!("?ref={known}")).await.contains("README.md"));
    for reference in ["nowhere", "a..b", "HEAD", "main~1", "refs/proposals/1", &"a".repeat(40), "%FF", "%0A"]
    {
        let answer = garden.page(&format!("?ref={reference}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{reference}");
        assert!(answer.text.contains("branch_not_found"), "{reference}");
    }
    for path in [
        "/files/nothing",
        "/files/README.md/x",
        "/files/..%2Fx",
        "/raw/src",
        "/raw/link",
        "/blame/src",
        "/files/module/x",
    ] {
        let answer = garden.page(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(answer.text.contains("path_not_found"), "{path}: {}", answer.text);
    }
    assert_eq!(
        garden.house.get("/repositories/x", &[("cookie", &garden.cookie)]).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn the_page_says_whether_agents_see_the_repository() {
    let garden = Garden::new().await;
    assert!(garden.text("").await.contains("Hidden from agents"));
    let view =
        countersign_app::session::authenticate(garden.house.app(), garden.cookie.split('=').nth(1).unwrap());
    let caller = view.await.unwrap().unwrap().caller;
    let on = Change { gitnest: Some(true), ..Change::default() };
    repository::change(garden.house.app(), &caller, garden.id, on).await.unwrap();
    assert!(garden.text("").await.contains("Agents see it"));
}

#[tokio::test]
async fn from_what_is_not_there_a_way_leads_back_to_the_repository() {
    let garden = Garden::new().await;
    let base = format!("/repositories/{}", garden.id);
    let commit = format!("/commits/{}", "a".repeat(40));
    for rest in ["/files/only-here.txt", "/raw/nothing", "/blame/nothing", "?ref=nowhere", &commit] {
        let lost = garden.page(rest).await;
        assert_eq!(lost.status, StatusCode::NOT_FOUND, "{rest}");
        for way in [base.clone(), format!("{base}/branches")] {
            assert!(lost.text.contains(&format!("href=\"{way}\"")), "{rest}: {}", lost.text);
        }
    }
}

#[tokio::test]
async fn a_query_that_cannot_be_read_is_refused_on_a_page() {
    let garden = Garden::new().await;
    for rest in ["?ref=main&ref=main", "/history?from=1&from=2", "/raw/README.md?ref=a&ref=b"] {
        let refused = garden.page(rest).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{rest}");
        assert!(
            refused.text.contains("invalid_arguments") && refused.text.contains("<h1>"),
            "{}",
            refused.text
        );
    }
    let token = garden.house.token(&["api"]).await;
    let path = "/api/v1/proposals?status=pending&status=pending";
    let refused = garden.house.call("GET", path, &token, serde_json::Value::Null).await;
    assert_eq!(refused.json()["code"], "invalid_arguments");
}
