//! Calls against a socket that answers by script: what is sent, and what becomes of each answer.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread::JoinHandle;
use std::time::Duration;

use countersign_fetch::{Client, FetchError, Method, Origin};
use serde_json::{Value, json};

/// Answers one request with `answer` and gives the request back.
fn answering(answer: String) -> (Origin, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = Origin::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut buffer = [0; 4096];
        while !is_whole(&request) {
            let read = stream.read(&mut buffer).unwrap();
            request.extend_from_slice(&buffer[..read]);
        }
        // The client may hang up on an answer that it does not want.
        let _ = stream.write_all(answer.as_bytes());
        String::from_utf8(request).unwrap()
    });
    (origin, served)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
    body.len() >= length
}

fn http(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn a_call_carries_bearer_body_and_path_and_reads_the_answer() {
    let (origin, served) = answering(http("200 OK", r#"{"name":"General"}"#));
    let client = Client::new(origin, Some("cs_pat_abc")).unwrap();
    let answer: Value =
        client.send(Method::Post, &["api", "v1", "projects"], &json!({"name": "General"})).await.unwrap();
    assert_eq!(answer["name"], "General");
    let request = served.join().unwrap();
    assert!(request.starts_with("POST /api/v1/projects HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("authorization: Bearer cs_pat_abc\r\n"), "{request}");
    assert!(request.ends_with(r#"{"name":"General"}"#), "{request}");
}

#[tokio::test]
async fn a_query_is_escaped() {
    let (origin, served) = answering(http("200 OK", "[]"));
    let client = Client::new(origin, None).unwrap();
    let _: Value = client.get(&["api"], &[("status", "a&b=c")]).await.unwrap();
    let request = served.join().unwrap();
    assert!(request.starts_with("GET /api?status=a%26b%3Dc "), "{request}");
    assert!(!request.contains("authorization"), "{request}");
}

#[tokio::test]
async fn a_problem_document_becomes_a_refusal_with_its_facts() {
    let body = r#"{"type":"about:blank","title":"stale","status":409,"detail":"The branch moved.","code":"proposal_stale","next_action":"Propose anew.","branch_head":"b2"}"#;
    let (origin, _served) = answering(http("409 Conflict", body));
    let error = Client::new(origin, None).unwrap().get::<Value>(&["x"], &[]).await.unwrap_err();
    assert_eq!(
        (error.code(), error.next_action(), error.is_passing()),
        ("proposal_stale", "Propose anew.", false)
    );
    let FetchError::Refused(refusal) = error else { panic!("{error}") };
    assert_eq!(refusal.facts["branch_head"], "b2");
}

#[tokio::test]
async fn an_answer_that_is_not_ours_is_told_by_its_status() {
    let (origin, _served) = answering(http("502 Bad Gateway", "<html>proxy</html>"));
    let error = Client::new(origin, None).unwrap().get::<Value>(&["x"], &[]).await.unwrap_err();
    assert!(error.is_passing() && !error.to_string().contains("html"), "{error}");
    let (origin, _served) = answering(http("404 Not Found", "<html>proxy</html>"));
    let error = Client::new(origin, None).unwrap().get::<Value>(&["x"], &[]).await.unwrap_err();
    assert_eq!((error.code(), error.is_passing()), ("answer_unreadable", false));
}

#[tokio::test]
async fn the_token_follows_no_redirect() {
    let (elsewhere, second) = answering(http("200 OK", "{}"));
    let (origin, _served) =
        answering(format!("HTTP/1.1 307 T\r\nLocation: {elsewhere}/x\r\nContent-Length: 0\r\n\r\n"));
    let error = Client::new(origin, Some("cs_pat_abc")).unwrap().get::<Value>(&["x"], &[]).await.unwrap_err();
    assert_eq!(error.code(), "answer_unreadable");
    assert!(!second.is_finished(), "nobody came to the second address");
}

#[tokio::test]
async fn an_endless_answer_is_cut_off() {
    let chunk = "a".repeat(1 << 20);
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", 40 << 20, chunk.repeat(17));
    let (origin, _served) = answering(answer);
    let error = Client::new(origin, None).unwrap().get::<Value>(&["x"], &[]).await.unwrap_err();
    assert!(error.to_string().contains("16 MiB"), "{error}");
}

#[tokio::test]
async fn a_server_that_is_not_there_and_one_that_is_silent_are_told_apart() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = Origin::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let client = Client::new(origin.clone(), None).unwrap().patient(Duration::from_millis(50));
    let silent = client.get::<Value>(&["x"], &[]).await.unwrap_err();
    assert_eq!(silent.code(), "server_timed_out");
    drop(listener);
    let gone = Client::new(origin, None).unwrap().get::<Value>(&["x"], &[]).await.unwrap_err();
    assert_eq!(gone.code(), "server_unreachable");
    assert!(gone.is_passing());
}

#[test]
fn a_token_that_would_add_a_header_is_refused() {
    let origin = Origin::parse("http://localhost:8420").unwrap();
    assert!(matches!(Client::new(origin, Some("a\r\nX: y")), Err(FetchError::Token)));
}
