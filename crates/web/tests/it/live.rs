//! The stream of a page: news at once, silence when there is none, the end with the session.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use countersign_store::testing::table::{put_back, take_away};
use futures_util::StreamExt as _;
use http::StatusCode;

use crate::house::{House, request};

/// Reads a stream as far as asked.
struct Stream(BodyDataStream);

impl Stream {
    async fn open(house: &House, path: &str, cookie: &str, last: &str) -> Self {
        let mut headers = vec![("cookie", cookie)];
        if !last.is_empty() {
            headers.push(("last-event-id", last));
        }
        let response = house.raw(request("GET", path, &headers, Body::empty())).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self(response.into_body().into_data_stream())
    }

    /// The next event, or the next silent line.
    async fn next(&mut self) -> Option<String> {
        let frame =
            tokio::time::timeout(Duration::from_mins(1), self.0.next()).await.expect("the stream stands");
        frame.map(|frame| String::from_utf8(frame.unwrap().to_vec()).unwrap())
    }
}

async fn address(house: &House, page: &str, cookie: &str) -> String {
    let text = house.get(page, &[("cookie", cookie)]).await.text;
    text.split("hx-sse:connect=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&")
}

async fn name_one(house: &House, cookie: &str, name: &str) {
    let csrf = house.csrf(cookie).await;
    house.post("/connected", cookie, &[("csrf", &csrf), ("kind", "codex"), ("name", name)]).await.goes_to();
}

fn id(event: &str) -> String {
    event.lines().find_map(|line| line.strip_prefix("id: ")).unwrap().to_owned()
}

#[tokio::test]
async fn a_change_is_on_the_page_without_a_load() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let path = address(&house, "/connected", &cookie).await;
    let mut stream = Stream::open(&house, &path, &cookie, "").await;
    assert!(stream.next().await.unwrap().starts_with(':'), "the page shows everything already");
    name_one(&house, &cookie, "Codex at home").await;
    let event = stream.next().await.unwrap();
    assert!(event.contains("hx-target=\"#connections\"") && event.contains("Codex at home"), "{event}");
    assert!(!event.contains("#waiting"), "what did not change is not sent: {event}");
}

#[tokio::test]
async fn what_changed_between_page_and_stream_is_sent_at_once() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let path = address(&house, "/connected", &cookie).await;
    name_one(&house, &cookie, "Codex at home").await;
    let event = Stream::open(&house, &path, &cookie, "").await.next().await.unwrap();
    assert!(event.contains("Codex at home"), "{event}");
}

#[tokio::test]
async fn who_comes_back_is_sent_what_they_missed_and_nothing_else() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let path = address(&house, "/connected", &cookie).await;
    let mut stream = Stream::open(&house, &path, &cookie, "").await;
    stream.next().await;
    name_one(&house, &cookie, "one").await;
    let last = id(&stream.next().await.unwrap());
    drop(stream);
    let silent = Stream::open(&house, &path, &cookie, &last).await.next().await.unwrap();
    assert!(silent.starts_with(':'), "{silent}");
    name_one(&house, &cookie, "two").await;
    let missed = Stream::open(&house, &path, &cookie, &last).await.next().await.unwrap();
    assert!(missed.contains("two"), "{missed}");
}

#[tokio::test]
async fn the_passing_of_time_alone_is_no_news() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    name_one(&house, &cookie, "one").await;
    let before = address(&house, "/connected", &cookie).await;
    house.test.clock.advance_seconds(3_600);
    assert_eq!(address(&house, "/connected", &cookie).await, before);
}

#[tokio::test]
async fn the_stream_ends_with_the_session() {
    let house = House::new().await;
    let (cookie, other) = (house.sign_in().await, house.sign_in().await);
    let path = address(&house, "/connected", &cookie).await;
    let mut stream = Stream::open(&house, &path, &cookie, "").await;
    stream.next().await;
    let csrf = house.csrf(&cookie).await;
    house.post("/sign-out", &cookie, &[("csrf", &csrf)]).await.goes_to();
    name_one(&house, &other, "after the end").await;
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_store_that_does_not_answer_for_a_moment_ends_no_stream_and_nothing_is_missed() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let path = address(&house, "/connected", &cookie).await;
    let mut stream = Stream::open(&house, &path, &cookie, "").await;
    take_away(&house.app().db, "session").await;
    let silent = stream.next().await.expect("it goes on");
    assert!(silent.starts_with(':'), "{silent}");
    put_back(&house.app().db, "session").await;
    name_one(&house, &cookie, "afterwards").await;
    let event = stream.next().await.expect("it goes on");
    assert!(event.contains("afterwards"), "{event}");
}

#[tokio::test]
async fn the_stream_ends_when_the_server_stops() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let path = address(&house, "/connected", &cookie).await;
    let mut stream = Stream::open(&house, &path, &cookie, "").await;
    stream.next().await;
    house.app().ending.begin();
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_stream_about_nothing_is_not_opened() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    for path in ["/live?of=everything", "/live?of=approval&id=x", "/live?of=imports&id=x"] {
        assert_eq!(house.get(path, &[("cookie", &cookie)]).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn an_import_that_fails_is_on_the_list_without_a_load() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let path = address(&house, "/repositories", &cookie).await;
    let mut stream = Stream::open(&house, &path, &cookie, "").await;
    assert!(stream.next().await.unwrap().starts_with(':'), "the page shows everything already");
    let page = house.get("/repositories/new", &[("cookie", &cookie)]).await;
    let project = page.text.split("<option value=\"").nth(1).unwrap().split('"').next().unwrap();
    let (csrf, url) = (page.field("csrf"), "https://nowhere.example/r.git");
    let fields = [("csrf", csrf.as_str()), ("name", "notes"), ("project", project), ("url", url)];
    house.post("/repositories/import", &cookie, &fields).await.goes_to();
    loop {
        let event = stream.next().await.unwrap();
        if event.contains("Try again") {
            assert!(event.contains("hx-target=\"#imports\"") && !event.contains("has changed"), "{event}");
            break;
        }
    }
}

#[tokio::test]
async fn a_list_that_is_longer_by_now_says_so() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let path = address(&house, "/repositories", &cookie).await;
    crate::repository::make(&house, "garden").await;
    let event = Stream::open(&house, &path, &cookie, "").await.next().await.unwrap();
    assert!(event.contains("The list below has changed"), "{event}");
    let fresh = address(&house, "/repositories", &cookie).await;
    assert!(Stream::open(&house, &fresh, &cookie, "").await.next().await.unwrap().starts_with(':'));
}
