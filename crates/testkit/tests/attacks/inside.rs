//! Attacks from inside the network: tokens of another audience, foreign names and pages, crooked paths.

use std::collections::BTreeMap;

use countersign_testkit::server::Options;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};

use crate::stage::{CONSENT, REDIRECT, Stage, parameter};

async fn token(stage: &mut Stage) -> String {
    let client = stage.client().await;
    let page = stage.look(&client, REDIRECT).await;
    let code = parameter(&stage.approve(&page).await, "code").unwrap();
    let (status, tokens) = stage.exchange(&client, REDIRECT, &code).await;
    assert_eq!(status, StatusCode::OK, "{tokens}");
    tokens["access_token"].as_str().unwrap().to_owned()
}

/// Row 10: a token that was made for another resource, and a cookie in a bearer's place.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_another_audience_and_an_owners_cookie_open_no_connector() {
    let mut stage = Stage::open().await;
    let access = token(&mut stage).await;
    assert_eq!(stage.call(Some(&access)).await, StatusCode::OK);
    let session = stage.owner.cookie().split('=').nth(1).unwrap().to_owned();
    assert_eq!(stage.call(Some(&session)).await, StatusCode::UNAUTHORIZED);
    let request = stage.http.post(stage.at("/api/v1/external-mcp")).header("cookie", stage.owner.cookie());
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_granted_resources","arguments":{}}}"#;
    let request = request.header("accept", "application/json, text/event-stream");
    let answer = request.header("content-type", "application/json").body(body).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    // The same store behind another address: its resource is another one, and so is the audience of new tokens.
    let moved = format!("http://localhost:{}", stage.server.port);
    let variables = BTreeMap::from([("COUNTERSIGN_PUBLIC_URL".to_owned(), moved)]);
    stage.restart(Options { variables, ..Options::default() }).await;
    assert_eq!(stage.call(Some(&access)).await, StatusCode::UNAUTHORIZED);
}

/// Row 19: DNS rebinding, and pages of other sites.
#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_host_reaches_nothing_and_a_foreign_page_changes_nothing() {
    let stage = Stage::open().await;
    let paths = [
        "/api/v1/external-mcp",
        "/api/v1/external-oauth/authorize",
        "/api/v1/external-oauth/token",
        "/api/v1/external-oauth/register",
        "/api/v1/external-oauth/revoke",
        CONSENT,
        "/sign-in",
        "/connected",
        "/.well-known/oauth-authorization-server",
        "/api/v1/me",
    ];
    for path in paths {
        for host in ["evil.example", "evil.example:8420", "127.0.0.1.evil.example", "169.254.169.254"] {
            for method in [Method::GET, Method::POST] {
                let request = stage.http.request(method, stage.at(path)).header("host", host);
                let answer = request.header("cookie", stage.owner.cookie()).send().await.unwrap();
                assert_eq!(answer.status(), StatusCode::MISDIRECTED_REQUEST, "{path} {host}");
            }
        }
    }
    let twice = [("host", "localhost"), ("host", "evil.example")];
    for hosts in [twice, [twice[1], twice[0]]] {
        let headers =
            hosts.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let request = stage.http.get(stage.at("/sign-in")).headers(headers.into_iter().collect());
        assert_eq!(request.send().await.unwrap().status(), StatusCode::BAD_REQUEST, "{hosts:?}");
    }
    for path in ["/api/v1/external-mcp", CONSENT, "/sign-in", "/sign-out"] {
        for origin in ["https://evil.example", "http://127.0.0.1.evil.example", "null"] {
            let request = stage
                .http
                .post(stage.at(path))
                .header("origin", origin)
                .header("sec-fetch-site", "cross-site");
            let request =
                request.header("cookie", stage.owner.cookie()).header("content-type", "application/json");
            let answer = request.body("{}").send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path} {origin}");
        }
    }
}

/// Row 20: headers that say where the server is, at a real listener.
#[tokio::test(flavor = "multi_thread")]
async fn no_header_moves_the_addresses_in_documents_challenge_or_redirect() {
    let stage = Stage::open().await;
    let client = stage.client().await;
    let own = stage.server.url.clone();
    let call = |(name, value): (&'static str, &'static str)| {
        let request = stage.http.post(stage.at("/api/v1/external-mcp")).header(name, value);
        let request = request.header("accept", "application/json, text/event-stream");
        request.json(&serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "list_granted_resources", "arguments": {} } }))
    };
    for (name, value) in [
        ("host", "localhost"),
        ("x-forwarded-host", "evil.example"),
        ("x-forwarded-proto", "https"),
        ("forwarded", "host=evil.example;proto=https"),
        ("x-original-url", "/evil"),
        ("x-forwarded-prefix", "/evil"),
    ] {
        let get = |address: String| stage.http.get(address).header(name, value).send();
        let metadata = get(stage.at("/.well-known/oauth-authorization-server")).await.unwrap();
        let text = metadata.text().await.unwrap();
        assert!(text.contains(&format!("\"issuer\":\"{own}\"")) && !text.contains("evil"), "{name}: {text}");
        let resource =
            get(stage.at("/.well-known/oauth-protected-resource")).await.unwrap().text().await.unwrap();
        assert!(
            resource.contains(&format!("\"resource\":\"{own}/api/v1/external-mcp\"")),
            "{name}: {resource}"
        );
        let challenged = call((name, value)).send().await.unwrap();
        let challenge = challenged.headers()["www-authenticate"].to_str().unwrap().to_owned();
        let metadata =
            format!("resource_metadata=\"{own}/.well-known/oauth-protected-resource/api/v1/external-mcp\"");
        assert!(challenge.contains(&metadata) && !challenge.contains("evil"), "{name}: {challenge}");
        assert_eq!(challenged.status(), StatusCode::UNAUTHORIZED, "{name}");
        let to = get(stage.request(&client, REDIRECT)).await.unwrap();
        assert!(
            to.headers()["location"].to_str().unwrap().starts_with(&format!("{own}{CONSENT}?h=")),
            "{name}"
        );
    }
}

/// Row 26: paths that one part of a server reads differently from another.
#[tokio::test(flavor = "multi_thread")]
async fn a_crooked_path_reaches_no_handler() {
    let mut stage = Stage::open().await;
    let access = token(&mut stage).await;
    for path in [
        "/api/v1/external-mcp/",
        "//api/v1/external-mcp",
        "/api//v1/external-mcp",
        "/api/v1/external-mcp//",
        "/api/v1/external%2dmcp/x",
        "/api%2fv1%2fexternal-mcp",
        "/api/v1/external-mcp%2f",
        "/API/v1/external-mcp",
        "/api/v1/external-mcp;x",
        "/api/v1/./external-mcp/.",
        "/api/v1/external-oauth/token/",
        "//api/v1/external-oauth/token",
        "/api/v1/external-oauth%2ftoken",
        "/external-assistant-authorize/",
        "//external-assistant-authorize",
        "/external-assistant-authorize%2f",
        "/connected%2f..%2fsetup",
    ] {
        for bearer in [None, Some(&access)] {
            for method in ["GET", "POST"] {
                // By hand: a client would straighten the path out.
                let status = raw(&stage, method, path, bearer).await;
                assert!(matches!(status, 404 | 405), "{method} {path}: {status}");
            }
        }
    }
}

async fn raw(stage: &Stage, method: &str, path: &str, bearer: Option<&String>) -> u16 {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", stage.server.port)).await.unwrap();
    let credential = bearer.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\n{credential}cookie: {}\r\nconnection: close\r\n\
         content-length: 0\r\n\r\n",
        stage.server.port,
        stage.owner.cookie()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let text = String::from_utf8_lossy(&answer);
    text.split(' ').nth(1).unwrap_or_else(|| panic!("{path}: {text}")).parse().unwrap()
}
