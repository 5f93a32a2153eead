//! The headers of every answer.

use http::StatusCode;

use crate::house::House;

#[tokio::test]
async fn every_answer_forbids_frames_inline_code_and_strangers() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    for path in ["/approvals", "/connected", "/sign-in", "/setup", "/nowhere", "/api/v1/me", "/api/nowhere"] {
        let answer = house.get(path, &[("cookie", &cookie)]).await;
        let policy = answer.header("content-security-policy");
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.contains(rule), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
    }
}

#[tokio::test]
async fn no_page_holds_a_style_or_a_script_of_its_own() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    for path in ["/approvals", "/connected", "/sign-in"] {
        let text = house.get(path, &[("cookie", &cookie)]).await.text;
        assert!(!text.contains("style=") && !text.contains("<style") && !text.contains("onclick"), "{path}");
        assert!(
            text.split("<script").skip(1).all(|script| script.split('>').next().unwrap().contains("src=")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn every_file_that_a_page_names_is_there_and_is_kept() {
    let house = House::new().await;
    let page = house.get("/sign-in", &[]).await.text;
    let files: Vec<&str> = page.split('"').filter(|part| part.starts_with("/static/")).collect();
    assert_eq!(files.len(), 4, "{files:?}");
    for file in files {
        let answer = house.get(file, &[]).await;
        assert_eq!(answer.status, StatusCode::OK, "{file}");
        assert!(answer.header("cache-control").contains("immutable"), "{file}");
    }
    assert_eq!(house.get("/static/1/app.css", &[]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_machines_probe_is_a_bare_404() {
    let house = House::new().await;
    for path in ["/.well-known/openid-configuration", "/static/x/y", "/git/a/b"] {
        let answer = house.get(path, &[]).await;
        assert_eq!((answer.status, answer.text.as_str()), (StatusCode::NOT_FOUND, ""), "{path}");
    }
    let answer = house.get("/api/v1/nowhere", &[]).await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (StatusCode::NOT_FOUND, "application/problem+json")
    );
}

#[tokio::test]
async fn every_answer_tells_how_many_calls_are_left() {
    let house = House::new().await;
    let first = house.get("/sign-in", &[]).await;
    let second = house.get("/api/v1/me", &[]).await;
    let left = |text: &str| text.parse::<u32>().unwrap();
    assert_eq!(first.header("x-ratelimit-limit"), "2000");
    assert!(left(second.header("x-ratelimit-remaining")) < left(first.header("x-ratelimit-remaining")));
}
