//! Documents of strangers: what the guard lets through, and everything that it does not.

#![cfg(test)]

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use countersign_core::net::https_url::HttpsUrl;
use countersign_fetch::guard::{GuardError, check};
use countersign_fetch::guarded::{Fetched, Limits, get};
use countersign_fetch::testing::{Answer, Outside, PUBLIC};

const LIMITS: Limits = Limits { bytes: 5 * 1024, patience: Duration::from_secs(5) };
const NAME: &str = "doc.example";

fn url(text: &str) -> HttpsUrl {
    HttpsUrl::parse(text).unwrap()
}

async fn fetch(outside: &Arc<Outside>, text: &str) -> Result<Fetched, GuardError> {
    get(&url(text), "application/json", &**outside, LIMITS).await
}

#[tokio::test]
async fn a_document_comes_with_its_type_and_its_headers_of_caching() {
    let outside = Outside::new();
    let site = outside
        .site(NAME, PUBLIC, |_| Answer::json_with("cache-control: max-age=60\r\nage: 7\r\n", "{\"a\":1}"))
        .await;
    let fetched = fetch(&outside, "https://doc.example/a.json?b=c").await.unwrap();
    assert_eq!(
        (fetched.body.as_slice(), fetched.media_type.as_str()),
        (&b"{\"a\":1}"[..], "application/json")
    );
    assert_eq!((fetched.caching.cache_control.as_str(), fetched.caching.age.as_str()), ("max-age=60", "7"));
    let head = site.requests()[0].head.to_lowercase();
    assert!(head.starts_with("get /a.json?b=c http/1.1\r\n"), "{head}");
    for line in ["host: doc.example", "accept: application/json"] {
        assert!(head.lines().any(|found| found == line), "{head}");
    }
    for ours in ["accept-encoding", "cookie", "authorization", "referer"] {
        assert!(!head.contains(ours), "{head}");
    }
    assert_eq!(outside.asked(NAME), 1, "a name is looked up once");
}

#[tokio::test]
async fn a_name_that_leads_to_an_address_that_is_not_public_is_not_connected_to() {
    let outside = Outside::new();
    let site = outside.site(NAME, PUBLIC, |_| Answer::json("{}")).await;
    for address in [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
        "64:ff9b::10.0.0.1",
        "2002:a00:1::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "fd00:ec2::254",
        "fe80::1",
        "100::1",
    ] {
        // Were the check missing, the connection would arrive.
        outside.lead(address, site.address());
        for answer in [&[address][..], &[PUBLIC, address], &[address, PUBLIC]] {
            outside.name(NAME, &[answer]);
            let refused = fetch(&outside, "https://doc.example/a").await.unwrap_err();
            assert!(matches!(refused, GuardError::NotPublic { .. }), "{answer:?}: {refused}");
            assert!(!refused.to_string().contains(address), "{refused}");
        }
    }
    assert_eq!(site.connections(), 0);
}

#[tokio::test]
async fn an_address_that_stands_in_the_url_is_checked_like_a_resolved_one() {
    let outside = Outside::new();
    for host in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]"]
    {
        let refused = fetch(&outside, &format!("https://{host}/a")).await.unwrap_err();
        assert!(matches!(refused, GuardError::NotPublic { .. }), "{host}: {refused}");
    }
    let checked = check(&url("https://8.8.8.8:8443/a"), &*outside).await.unwrap();
    assert_eq!((checked.host(), checked.port()), ("8.8.8.8", 8443));
    assert_eq!(checked.addresses(), ["8.8.8.8:8443".parse().unwrap()]);
}

#[tokio::test]
async fn a_name_that_changes_between_check_and_use_leads_to_what_was_checked() {
    let outside = Outside::new();
    let inside = outside.site("inside.example", "9.9.9.9", |_| Answer::json("{\"secret\":1}")).await;
    let site = outside.site(NAME, PUBLIC, |_| Answer::json("{}")).await;
    outside.lead("127.0.0.1", inside.address());
    outside.name(NAME, &[&[PUBLIC], &["127.0.0.1"]]);
    assert_eq!(fetch(&outside, "https://doc.example/a").await.unwrap().body, b"{}");
    assert_eq!((outside.asked(NAME), site.connections(), inside.connections()), (1, 1, 0));
    // The next request is checked anew.
    assert!(matches!(fetch(&outside, "https://doc.example/a").await, Err(GuardError::NotPublic { .. })));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let outside = Outside::new();
    let inside = outside.site("inside.example", "9.9.9.9", |_| Answer::json("{}")).await;
    for status in ["301 M", "302 F", "303 S", "307 T", "308 P"] {
        let site = outside
            .site(NAME, PUBLIC, move |_| Answer::http(status, "location: https://inside.example/\r\n", b""))
            .await;
        let refused = fetch(&outside, "https://doc.example/a").await.unwrap_err();
        assert!(matches!(refused, GuardError::Redirected { .. }), "{status}: {refused}");
        assert_eq!(site.requests().len(), 1);
    }
    assert_eq!((inside.connections(), outside.asked("inside.example")), (0, 0));
}

#[tokio::test]
async fn what_is_larger_than_allowed_is_cut_off_whether_or_not_it_says_so() {
    let outside = Outside::new();
    let fits = "a".repeat(5 * 1024);
    let _site = outside.site(NAME, PUBLIC, move |_| Answer::json(&fits)).await;
    assert_eq!(fetch(&outside, "https://doc.example/a").await.unwrap().body.len(), 5 * 1024);
    for head in ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 10485760\r\n"] {
        let body = vec![b'a'; 10 << 20];
        let head = format!("{head}\r\n");
        let _site = outside.site(NAME, PUBLIC, move |_| Answer::raw(&head, &body)).await;
        let refused = fetch(&outside, "https://doc.example/a").await.unwrap_err();
        assert!(matches!(refused, GuardError::TooLarge { limit: 5120, .. }), "{refused}");
    }
    let one_more = "a".repeat(5 * 1024 + 1);
    let _site = outside.site(NAME, PUBLIC, move |_| Answer::json(&one_more)).await;
    assert!(matches!(fetch(&outside, "https://doc.example/a").await, Err(GuardError::TooLarge { .. })));
}

#[tokio::test]
async fn a_compressed_answer_is_refused_unread() {
    let outside = Outside::new();
    let mut bomb = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    bomb.write_all(&[0xed; 4000]).unwrap();
    for encoding in ["gzip", "GZIP", "br", "deflate", "zstd", "identity, gzip"] {
        let (bomb, header) = (bomb.clone(), format!("content-encoding: {encoding}\r\n"));
        let _site = outside.site(NAME, PUBLIC, move |_| Answer::http("200 OK", &header, &bomb)).await;
        let refused = fetch(&outside, "https://doc.example/a").await.unwrap_err();
        assert!(matches!(refused, GuardError::Encoded { .. }), "{encoding}: {refused}");
    }
}

#[tokio::test]
async fn whoever_is_slow_at_any_step_is_given_up_on_as_a_whole() {
    let quick = Limits { patience: Duration::from_millis(400), ..LIMITS };
    let pause = Duration::from_millis(50);
    let answers = [
        // Each pause is short, and together they are too long: in the body, in the head, before everything.
        Answer::json("a".repeat(100)).dripping(1, pause),
        Answer::raw("HTTP/1.1 200 OK\r\nx: ", &[b'y'; 200]).dripping(1, pause),
        Answer::json("{}").after(Duration::from_secs(30)),
    ];
    for answer in answers {
        let outside = Outside::new();
        let _site = outside.site(NAME, PUBLIC, move |_| answer.clone()).await;
        let late = get(&url("https://doc.example/a"), "*/*", &*outside, quick).await.unwrap_err();
        assert!(matches!(late, GuardError::TimedOut { .. }), "{late}");
    }
    let outside = Outside::new();
    let site = outside.site(NAME, PUBLIC, |_| Answer::json("{}")).await;
    outside.slow(NAME, Duration::from_secs(30));
    let late = get(&url("https://doc.example/a"), "*/*", &*outside, quick).await.unwrap_err();
    assert!(matches!(late, GuardError::TimedOut { .. }), "{late}");
    assert_eq!(site.connections(), 0);
}

#[tokio::test]
async fn a_certificate_of_another_name_or_root_is_no_connection() {
    let outside = Outside::new();
    let site = outside.site("other.example", PUBLIC, |_| Answer::json("{}")).await;
    outside.name(NAME, &[&[PUBLIC]]);
    assert!(matches!(fetch(&outside, "https://doc.example/a").await, Err(GuardError::Unreachable { .. })));
    let strict = Outside::new();
    strict.name("other.example", &[&[PUBLIC]]);
    strict.lead(PUBLIC, site.address());
    assert!(matches!(fetch(&strict, "https://other.example/a").await, Err(GuardError::Unreachable { .. })));
    assert!(site.requests().is_empty());
}

#[tokio::test]
async fn only_status_200_is_a_document_and_an_unknown_name_is_none() {
    let outside = Outside::new();
    for (status, number) in [("404 N", 404), ("206 P", 206), ("500 E", 500), ("201 C", 201)] {
        let _site = outside.site(NAME, PUBLIC, move |_| Answer::http(status, "", b"{}")).await;
        let refused = fetch(&outside, "https://doc.example/a").await.unwrap_err();
        assert!(matches!(refused, GuardError::Status { status, .. } if status == number), "{refused}");
    }
    assert!(matches!(fetch(&outside, "https://no.example/a").await, Err(GuardError::NotFound { .. })));
    outside.name(NAME, &[&[]]);
    assert!(matches!(fetch(&outside, "https://doc.example/a").await, Err(GuardError::NotFound { .. })));
}

/// The test above goes its way once more, in a process whose environment names a proxy.
#[tokio::test]
async fn a_proxy_that_the_environment_names_is_not_asked() {
    let proxy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    proxy.set_nonblocking(true).unwrap();
    let address = format!("http://{}", proxy.local_addr().unwrap());
    #[expect(clippy::disallowed_methods, reason = "a test starts itself with another environment")]
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "a_document_comes_with_its_type_and_its_headers_of_caching"]);
    for name in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        again.env(name, &address);
    }
    let output = tokio::task::spawn_blocking(move || again.output()).await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(proxy.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}
