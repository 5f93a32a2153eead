//! Attacks by metadata documents: making the server ask where it must not, too often, too much; and changing one's
//! story between the question and the token.

use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use countersign_fetch::testing::{Answer, Outside, PUBLIC, Site};
use countersign_testkit::browser::Page;
use countersign_testkit::server::{OUTSIDE, Options};
use reqwest::StatusCode;
use serde_json::json;

use crate::stage::{CONSENT, Stage, parameter};

const CLIENT: &str = "https://app.example/client.json";
const ANSWERED_AT: &str = "https://app.example/cb";

fn document() -> String {
    json!({ "client_id": CLIENT, "client_name": "App", "redirect_uris": [ANSWERED_AT] }).to_string()
}

fn is_refused(page: &Page) -> bool {
    page.find_form(CONSENT).is_none() && page.location.is_none() && page.status.is_client_error()
        || page.status == StatusCode::BAD_GATEWAY
}

/// Row 14: a client id that leads into the network behind the server, in every spelling of an address.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_id_that_is_an_address_goes_no_further() {
    let mut stage = Stage::open().await;
    for host in [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "[::1]",
        "[::ffff:10.0.0.1]",
        "[fd00::1]",
        "[64:ff9b::a00:1]",
        "[2002:a00:1::1]",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "localhost",
        "intranet",
    ] {
        let page = stage.look(&format!("https://{host}/client.json"), ANSWERED_AT).await;
        // It is no client at all: nothing is asked of anybody.
        assert!(page.body.contains("does not know the client"), "{host}: {} {}", page.status, page.body);
        assert_eq!((page.status, page.location), (StatusCode::BAD_REQUEST, None), "{host}");
    }
}

/// Row 14: a client id whose name leads into the network behind the server.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_id_whose_name_leads_inside_is_not_connected_to() {
    let outside = Outside::new();
    // Connections to these would arrive at a server that answers as the document should.
    let inside = outside.site("inside.example", "9.9.9.9", |_| Answer::json(document())).await;
    let addresses = [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "::1",
        "::ffff:10.0.0.1",
        "2002:a00:1::1",
        "64:ff9b::10.0.0.1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "fd00:ec2::254",
        "fe80::1",
    ];
    for (n, address) in addresses.iter().enumerate() {
        outside.lead(address, inside.address());
        outside.name(&format!("h{n}.example"), &[&[address]]);
        outside.name(&format!("mixed{n}.example"), &[&[PUBLIC, address]]);
    }
    let mut stage = Stage::before(&outside).await;
    for (n, address) in addresses.iter().enumerate() {
        for name in [format!("h{n}"), format!("mixed{n}")] {
            let page = stage.look(&format!("https://{name}.example/client.json"), ANSWERED_AT).await;
            assert!(is_refused(&page), "{address}: {} {}", page.status, page.body);
            assert!(page.body.contains("not on the public internet") && !page.body.contains(address));
        }
        // The owner's budget of fetches begins anew.
        let variables = [(OUTSIDE.to_owned(), outside.write())].into();
        stage.restart(Options { variables, ..Options::default() }).await;
    }
    assert_eq!(inside.connections(), 0);
}

/// A server with a client whose host answers like this.
async fn answering(answer: Answer) -> (Stage, Site, Arc<Outside>) {
    let outside = Outside::new();
    let site = outside.site("app.example", PUBLIC, move |_| answer.clone()).await;
    (Stage::before(&outside).await, site, outside)
}

/// Row 14: a name that leads outside when it is checked and inside when it is used.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_turns_inward_after_the_check_is_not_followed_there() {
    let outside = Outside::new();
    let inside = outside.site("app.example", "9.9.9.9", |_| Answer::json("{\"secret\":1}")).await;
    let honest = outside.site("app.example", PUBLIC, |_| Answer::json(document())).await;
    outside.lead("127.0.0.1", inside.address());
    outside.name("app.example", &[&[PUBLIC], &["127.0.0.1"]]);
    let mut stage = Stage::before(&outside).await;
    let page = stage.look(CLIENT, ANSWERED_AT).await;
    assert!(page.find_form(CONSENT).is_some(), "{} {}", page.status, page.body);
    assert_eq!((honest.requests().len(), inside.connections()), (1, 0));
}

/// Row 14: a host that sends the server on, swells, drips or unpacks.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_redirects_swells_drips_or_unpacks_gives_no_document() {
    let mut bomb = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    bomb.write_all(&[0xed; 4000]).unwrap();
    let large =
        Answer::raw("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n", &vec![b' '; 10 << 20]);
    let json = "content-type: application/json\r\n";
    for (answer, told) in [
        (Answer::http("302 F", "location: https://127.0.0.1/\r\n", b""), "redirects"),
        (Answer::http("307 T", "location: https://app.example/other.json\r\n", b""), "redirects"),
        (large, "more than 5120 bytes"),
        (Answer::http("200 OK", &format!("{json}content-encoding: gzip\r\n"), &bomb), "encoding"),
        (Answer::json(document()).dripping(1, Duration::from_millis(200)), "in time"),
    ] {
        let (mut stage, site, _outside) = answering(answer).await;
        let look = tokio::time::timeout(Duration::from_secs(9), stage.look(CLIENT, ANSWERED_AT));
        let page = look.await.unwrap_or_else(|_| panic!("{told}: it is waited for too long"));
        assert!(is_refused(&page) && page.body.contains(told), "{told}: {} {}", page.status, page.body);
        assert_eq!(site.requests().len(), 1, "{told}");
    }
}

/// Row 14: a stranger who makes the server send requests without signing in.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_who_is_not_signed_in_makes_the_server_send_a_request() {
    let (mut stage, site, _outside) = answering(Answer::json(document())).await;
    let to = stage.http.get(stage.request(CLIENT, ANSWERED_AT)).send().await.unwrap();
    let consent = to.headers()["location"].to_str().unwrap().to_owned();
    let shown = stage.http.get(&consent).send().await.unwrap();
    assert!(shown.headers()["location"].to_str().unwrap().contains("/sign-in"));
    let (status, _) = stage.exchange(CLIENT, ANSWERED_AT, "cs_ac_x").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let revoke = [("client_id", CLIENT), ("token", "cs_rt_x")];
    stage.http.post(stage.at("/api/v1/external-oauth/revoke")).form(&revoke).send().await.unwrap();
    assert_eq!(site.connections(), 0);
    let page = stage.owner.get(&consent).await;
    assert!(page.find_form(CONSENT).is_some() && page.body.contains("app.example"), "{}", page.body);
    assert_eq!(site.requests().len(), 1);
}

/// Row 15: a hundred questions at once about one client, and many clients of one host.
#[tokio::test(flavor = "multi_thread")]
async fn many_questions_make_one_request_and_many_clients_of_one_host_a_budget() {
    let hits = Arc::new(AtomicUsize::new(0));
    let (outside, counted) = (Outside::new(), Arc::clone(&hits));
    let _site = outside
        .site("app.example", PUBLIC, move |request| {
            counted.fetch_add(1, Ordering::SeqCst);
            let known = request.path() == "/client.json";
            if known { Answer::json(document()) } else { Answer::http("404 N", "", b"") }
        })
        .await;
    let mut stage = Stage::before(&outside).await;
    // Fewer than the sixty authorizations that one address has in a minute.
    let mut questions = Vec::new();
    for _ in 0..40 {
        let to = stage.http.get(stage.request(CLIENT, ANSWERED_AT)).send().await.unwrap();
        let consent = to.headers()["location"].to_str().unwrap().to_owned();
        let look = stage.http.get(consent).header("cookie", stage.owner.cookie()).send();
        questions.push(look);
    }
    let shown = questions.into_iter().map(tokio::spawn).collect::<Vec<_>>();
    for answer in shown {
        assert_eq!(answer.await.unwrap().unwrap().status(), StatusCode::OK);
    }
    assert_eq!(hits.load(Ordering::SeqCst), 1);
    let mut limited = 0;
    for n in 0..15 {
        let page = stage.look(&format!("https://app.example/{n}.json"), ANSWERED_AT).await;
        limited += usize::from(page.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!((hits.load(Ordering::SeqCst), limited), (5, 11));
}

/// Row 16: a document that changes between the question, the answer and the token; and a host that falls silent.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_is_swapped_later_changes_nothing_about_what_was_shown() {
    let said = Arc::new(Mutex::new(Answer::json(document())));
    let (outside, given) = (Outside::new(), Arc::clone(&said));
    let site = outside.site("app.example", PUBLIC, move |_| given.lock().unwrap().clone()).await;
    let mut stage = Stage::before(&outside).await;
    let page = stage.look(CLIENT, ANSWERED_AT).await;
    assert!(page.body.contains("Verified domain"), "{}", page.body);
    let swapped = document().replace("/cb", "/evil").replace("App", "Evil");
    *said.lock().unwrap() = Answer::json(swapped);
    let location = stage.approve(&page).await;
    assert!(location.starts_with(&format!("{ANSWERED_AT}?code=")), "{location}");
    let (status, tokens) = stage.exchange(CLIENT, ANSWERED_AT, &parameter(&location, "code").unwrap()).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(stage.call(tokens["access_token"].as_str()).await, StatusCode::OK);
    // What the swapped document wants is a new question, which does not stand in what is kept.
    assert!(is_refused(&stage.look(CLIENT, "https://app.example/evil").await));
    assert_eq!(site.requests().len(), 1);
    drop(site);
    assert!(stage.look(CLIENT, ANSWERED_AT).await.find_form(CONSENT).is_some(), "what is kept serves");
    assert!(is_refused(&stage.look("https://app.example/unknown.json", ANSWERED_AT).await));
}
