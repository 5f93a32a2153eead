//! Attacks with time and numbers: clients that say what they want a byte at a time, and many of them.

use std::time::Duration;

use countersign_testkit::server::{Options, Ships};
use countersign_testkit::timed;
use reqwest::{Client, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::stage::Stage;

/// How many at once; the limit of open files of a small machine holds as many, and not many more.
const CLIENTS: usize = 200;
/// The shipped limit of a header is ten seconds; a busy machine may be late.
const PUT_OUT: Duration = Duration::from_secs(30);
/// That of a body is a minute.
const PUT_OUT_OF_BODY: Duration = Duration::from_secs(90);

/// Sends a byte now and then, until the server has had enough; how long that took.
async fn drip(port: u16, head: &str) -> Duration {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let ((), took) = timed(async {
        stream.write_all(head.as_bytes()).await.unwrap();
        loop {
            let mut answer = [0; 512];
            tokio::select! {
                // An answer that refuses, or the end.
                read = stream.read(&mut answer) => if matches!(read, Ok(0) | Err(_)) { return },
                () = tokio::time::sleep(Duration::from_millis(500)) => if stream.write_all(b"x").await.is_err() { return },
            }
        }
    })
    .await;
    took
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_drip_their_headers_are_put_out_and_keep_nobody_waiting() {
    let stage = Stage::with(Options { ships: Ships::Unclaimed, ..Options::default() }).await;
    let (port, address) = (stage.server.port, stage.at("/sign-in"));
    let head = format!("POST /sign-in HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nx-slow: ");
    let slow: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let head = head.clone();
            tokio::spawn(async move { drip(port, &head).await })
        })
        .collect();
    let http = Client::new();
    for _ in 0..20 {
        let (page, took) = timed(http.get(&address).send()).await;
        assert_eq!(page.unwrap().status(), StatusCode::OK);
        assert!(took < Duration::from_secs(5), "a visitor waited for {took:?}");
    }
    for client in slow {
        let took = tokio::time::timeout(PUT_OUT, client).await.expect("who drips is put out").unwrap();
        assert!(took < PUT_OUT, "{took:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_drip_their_bodies_are_put_out() {
    let stage = Stage::with(Options { ships: Ships::Unclaimed, ..Options::default() }).await;
    let port = stage.server.port;
    let paths = ["/sign-in", "/api/v1/tokens", "/api/v1/external-mcp", "/api/v1/external-oauth/token"];
    let slow = paths.map(|path| {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n"
        );
        tokio::spawn(async move { drip(port, &head).await })
    });
    for (path, client) in paths.into_iter().zip(slow) {
        let ended = tokio::time::timeout(PUT_OUT_OF_BODY, client).await;
        ended.unwrap_or_else(|_| panic!("{path}: who drips is put out")).unwrap();
    }
}
