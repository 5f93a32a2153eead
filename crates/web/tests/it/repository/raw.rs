//! The bytes of a file: never anything that a browser would run.

use axum::body::{Body, to_bytes};
use countersign_app::testing::history::Change;
use http::{HeaderMap, StatusCode};

use super::{Garden, PNG};
use crate::house::request;

async fn raw(garden: &Garden, rest: &str) -> (HeaderMap, Vec<u8>) {
    let path = format!("/repositories/{}/raw/{rest}", garden.id);
    let response =
        garden.house.raw(request("GET", &path, &[("cookie", &garden.cookie)], Body::empty())).await;
    assert_eq!(response.status(), StatusCode::OK, "{rest}");
    let (parts, body) = response.into_parts();
    (parts.headers, to_bytes(body, 64 << 20).await.unwrap().to_vec())
}

#[tokio::test]
async fn nothing_comes_as_what_it_could_run_as() {
    let garden = Garden::new().await;
    for (path, kind, shown) in [
        ("page.html", "text/plain; charset=utf-8", "inline"),
        ("drawing.svg", "text/plain; charset=utf-8", "inline"),
        ("src/main.rs", "text/plain; charset=utf-8", "inline"),
        ("empty.txt", "text/plain; charset=utf-8", "inline"),
        ("img/dot.png", "image/png", "inline"),
        ("binary.bin", "application/octet-stream", "attachment"),
        ("latin.txt", "application/octet-stream", "attachment"),
        ("page.html?download=1", "text/plain; charset=utf-8", "attachment"),
    ] {
        let (headers, _) = raw(&garden, path).await;
        let header = |name: &str| headers[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), kind, "{path}");
        assert_eq!(
            header("content-security-policy"),
            "default-src 'none'; frame-ancestors 'none'; sandbox",
            "{path}"
        );
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("x-frame-options"), "DENY", "{path}");
        assert!(header("content-disposition").starts_with(shown), "{path}");
    }
    assert_eq!(raw(&garden, "img/dot.png").await.1, PNG);
    assert_eq!(raw(&garden, "src/main.rs?ref=v1").await.1, b"fn main() {\n    let needle = \"<b>\";\n}\n");
}

#[tokio::test]
async fn a_name_stays_in_its_header_whatever_it_holds() {
    let garden = Garden::new().await;
    for (path, named) in [
        ("odd/line%0Abreak.txt", "filename=\"line_break.txt\"; filename*=UTF-8''line_break.txt"),
        ("odd/%FF%FE.txt", "filename=\"__.txt\"; filename*=UTF-8''%EF%BF%BD%EF%BF%BD.txt"),
        ("odd/back%5Cslash", "filename=\"back_slash\"; filename*=UTF-8''back_slash"),
    ] {
        let (headers, bytes) = raw(&garden, path).await;
        assert_eq!(headers["content-disposition"].to_str().unwrap(), format!("inline; {named}"));
        assert!(bytes.starts_with(b"odd "));
    }
}

#[tokio::test]
async fn a_large_file_is_streamed_whole_and_as_what_it_begins_with() {
    let garden = Garden::bare().await;
    let text = "é".repeat(3 << 20);
    let mut picture = PNG.to_vec();
    picture.resize(3 << 20, 7);
    let noise: Vec<u8> =
        (0..20_000_000_u32).map(|n| u8::try_from(n.wrapping_mul(2_654_435_761) >> 24).unwrap()).collect();
    garden
        .plant(
            "Large",
            &[
                (b"large.html", Change::File(text.as_bytes())),
                (b"large.png", Change::File(&picture)),
                (b"noise", Change::File(&noise)),
            ],
        )
        .await;
    for (path, kind, bytes) in [
        ("large.html", "text/plain; charset=utf-8", text.as_bytes()),
        ("large.png", "image/png", &picture),
        ("noise", "application/octet-stream", &noise),
    ] {
        let (headers, seen) = raw(&garden, path).await;
        assert_eq!(headers["content-type"], kind, "{path}");
        assert_eq!(headers["content-length"], bytes.len().to_string().as_str(), "{path}");
        assert_eq!(headers["content-security-policy"], "default-src 'none'; frame-ancestors 'none'; sandbox");
        assert!(seen == bytes, "{path}");
    }
}
