//! Lists of the API: pages without gap or repetition, whatever comes and goes between them.

use http::StatusCode;
use serde_json::{Value, json};

use crate::house::House;

/// The names on a page, and where the next one is by the body and by the `Link`.
async fn page(house: &House, token: &str, path: &str) -> (Vec<String>, Option<String>) {
    let answer = house.call("GET", path, token, Value::Null).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let body = answer.json();
    let items = body["items"].as_array().unwrap();
    let names = items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect();
    let link = answer.header("link").strip_prefix('<').and_then(|rest| rest.strip_suffix(">; rel=\"next\""));
    let link = link.map(str::to_owned);
    match (&link, body["next"].as_str()) {
        (Some(link), Some(next)) => assert!(link.ends_with(&format!("after={next}")), "{link} {next}"),
        (None, None) => {}
        (_, _) => panic!("body and header differ: {}", answer.text),
    }
    (names, link)
}

async fn make(house: &House, token: &str, name: &str) {
    let made = house.call("POST", "/api/v1/projects", token, json!({ "name": name })).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
}

#[tokio::test]
async fn a_list_is_read_page_by_page_while_others_add_to_it() {
    let house = House::new().await;
    let token = house.token(&["api"]).await;
    for name in ["B", "D", "F"] {
        make(&house, &token, name).await;
    }
    let (first, next) = page(&house, &token, "/api/v1/projects?limit=2").await;
    assert_eq!(first, ["B", "D"]);
    // One before the place moves nothing, one behind it is found.
    make(&house, &token, "A").await;
    make(&house, &token, "E").await;
    let (second, next) = page(&house, &token, &next.unwrap()).await;
    assert_eq!(second, ["E", "F"]);
    let (third, end) = page(&house, &token, &next.unwrap()).await;
    assert_eq!((third, end), (vec!["General".to_owned()], None));
}

#[tokio::test]
async fn the_newest_first_is_read_to_its_end_too() {
    let house = House::new().await;
    let token = house.token(&["api"]).await;
    for name in ["one", "two", "three"] {
        let body = json!({ "kind": "other", "name": name });
        let made = house.call("POST", "/api/v1/connections", &token, body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    }
    let (mut seen, mut next) = (Vec::new(), Some("/api/v1/connections?limit=1".to_owned()));
    while let Some(path) = next {
        let (names, further) = page(&house, &token, &path).await;
        assert_eq!(names.len(), 1);
        seen.extend(names);
        next = further;
        assert!(seen.len() <= 3, "{seen:?}");
    }
    seen.sort_unstable();
    assert_eq!(seen, ["one", "three", "two"]);
}

#[tokio::test]
async fn what_no_list_gave_is_refused_by_name() {
    let house = House::new().await;
    let token = house.token(&["api"]).await;
    let foreign = countersign_core::page::Cursor::new("no number", "x");
    for (path, field) in [
        ("/api/v1/projects?limit=0".to_owned(), "limit"),
        ("/api/v1/projects?limit=101".to_owned(), "limit"),
        ("/api/v1/people?limit=ten".to_owned(), "limit"),
        ("/api/v1/repositories?after=x".to_owned(), "after"),
        (format!("/api/v1/tokens?after={foreign}"), "after"),
        (format!("/api/v1/connections?after={foreign}"), "after"),
        (format!("/api/v1/proposals?after={foreign}"), "after"),
        (format!("/api/v1/audit?after={foreign}"), "after"),
    ] {
        let refused = house.call("GET", &path, &token, Value::Null).await;
        let told = (refused.status, refused.json()["field"].clone());
        assert_eq!(told, (StatusCode::BAD_REQUEST, json!(field)), "{path}");
    }
}
