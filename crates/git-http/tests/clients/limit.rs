//! Limits hold: of time, of size, and of how many do it at once.

use std::time::Duration;

use countersign_app::testing::noise::noise;
use countersign_git_http::Limits;
use countersign_store::both;
use tokio::io::AsyncWriteExt as _;

use crate::raw::{self, fetch, framed, open, read, want, whole};
use crate::served::{Served, said};

const TINY: Limits = Limits { request: 1000, ..Limits::SHIPPED };

/// As git does with a long request.
fn gzip(served: &Served, bytes: &[u8]) -> Vec<u8> {
    let file = served.fresh();
    std::fs::write(&file, bytes).unwrap();
    let output = std::process::Command::new("gzip").arg("-c").arg(&file).output().unwrap();
    assert!(output.status.success());
    output.stdout
}

both!(a_compressed_request_is_understood, db, {
    let served = Served::over(db).await;
    let (line, headers) = fetch(&served);
    let body = gzip(&served, &framed(&[Some("command=ls-refs"), None]));
    for name in ["gzip", "x-gzip", "GZIP"] {
        let encoding = format!("Content-Encoding: {name}");
        let mut headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        headers.push(&encoding);
        let answer = raw::request(&served, &line, &headers, &body).await;
        assert_eq!((answer.status, answer.text().contains("refs/heads/main")), (200, true), "{answer:?}");
    }
    let mut headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    headers.push("Content-Encoding: br");
    assert_eq!(raw::request(&served, &line, &headers, &body).await.status, 415);
});

both!(a_request_is_bounded_by_its_size_after_it_was_inflated, db, {
    let served = Served::within(db, TINY).await;
    let (line, headers) = fetch(&served);
    let pad = |length: usize| {
        let agent = format!("agent={}", "a".repeat(length));
        framed(&[Some("command=ls-refs"), Some(&agent), None])
    };
    let (small, large) = (pad(900), pad(10_000));
    let mut headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    assert_eq!(raw::request(&served, &line, &headers, &small).await.status, 200);
    assert_eq!(raw::request(&served, &line, &headers, &large).await.status, 413);
    let (small, large) = (gzip(&served, &small), gzip(&served, &large));
    assert!(large.len() < 1000, "the test proves nothing");
    headers.push("Content-Encoding: gzip");
    assert_eq!(raw::request(&served, &line, &headers, &small).await.status, 200);
    assert_eq!(raw::request(&served, &line, &headers, &large).await.status, 413);
    served.until_gits(|gits| gits == 0).await;
});

both!(a_client_that_never_ends_its_request_is_cut_off_and_its_git_ended, db, {
    let limits = Limits { fetch: Duration::from_millis(300), ..Limits::SHIPPED };
    let served = Served::within(db, limits).await;
    let (line, headers) = fetch(&served);
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let bytes = whole(&line, &headers, &framed(&[Some("command=ls-refs"), None]));
    let stream = open(&served, &bytes[..bytes.len() - 4]).await;
    let answer = read(stream).await;
    assert_eq!(answer.status, 504, "{answer:?}");
    served.until_gits(|gits| gits == 0).await;
});

both!(a_client_that_sends_nothing_more_of_its_request_is_cut_off_early, db, {
    let served = Served::within(db, Limits { idle: Duration::from_millis(300), ..Limits::SHIPPED }).await;
    let (line, headers) = fetch(&served);
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let bytes = whole(&line, &headers, &framed(&[Some("command=ls-refs"), None]));
    let answer = read(open(&served, &bytes[..bytes.len() - 4]).await).await;
    assert_eq!(answer.status, 408, "{answer:?}");
    served.until_gits(|gits| gits == 0).await;
});

both!(a_client_that_takes_nothing_of_its_answer_is_cut_off_and_gives_its_place_back, db, {
    let limits = Limits { fetch: Duration::from_millis(500), at_once: 1, ..Limits::SHIPPED };
    let served = Served::within(db, limits).await;
    // More than the buffers between the two hold.
    served.commit(&[("noise", &noise(1, 32 << 20))]).await;
    let (line, headers) = fetch(&served);
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let tip = said(&served.git(&served.home.path(), &["rev-parse", "main"]).await);
    let unread = open(&served, &whole(&line, &headers, &want(&tip))).await;
    served.until_gits(|gits| gits > 0).await;
    served.until_gits(|gits| gits == 0).await;
    said(&served.git(served.home.test.folder.path(), &["ls-remote", &served.url(&served.token)]).await);
    let answer = read(unread).await;
    assert!(answer.status == 200 && answer.body.len() < 32 << 20, "{}", answer.body.len());
});

both!(who_comes_when_every_place_is_taken_waits_or_is_told_when_to_come_again, db, {
    let limits = Limits { at_once: 1, waiting: 1, patience: Duration::from_millis(100), ..Limits::SHIPPED };
    let served = Served::within(db, limits).await;
    let (line, headers) = fetch(&served);
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    let bytes = whole(&line, &headers, &framed(&[Some("command=ls-refs"), None]));
    let (begun, rest) = bytes.split_at(bytes.len() - 4);
    let mut first = open(&served, begun).await;
    served.until_gits(|gits| gits == 1).await;
    for _ in 0..2 {
        let refused = raw::request(&served, &line, &headers, &framed(&[Some("command=ls-refs"), None])).await;
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("5")), "{refused:?}");
        let refs = raw::refs(&served, &headers[..1]).await;
        assert_eq!(refs.status, 503, "a list of refs takes a place as well");
    }
    first.write_all(rest).await.unwrap();
    assert_eq!(read(first).await.status, 200);
    said(&served.git(served.home.test.folder.path(), &["ls-remote", &served.url(&served.token)]).await);
});

both!(calls_over_the_rate_are_refused_with_the_time_to_wait, db, {
    let served = Served::over(db).await;
    let app = served.home.app();
    let person = served.home.house.person;
    let key = countersign_app::gate::RateKey::Person(person);
    while app.rate.hit(key, app.now()).admitted {}
    let answer = raw::refs(&served, &[&crate::served::basic(&served.token)]).await;
    assert_eq!((answer.status, answer.header("retry-after")), (429, Some("60")), "{answer:?}");
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
});
