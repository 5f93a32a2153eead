//! Attacks on consent: skipped, stolen, forged, framed, dressed up.

use std::collections::BTreeMap;

use countersign_testkit::browser::{Browser, Page};
use countersign_testkit::clock::VARIABLE;
use countersign_testkit::house::{MAIL, PASSWORD};
use countersign_testkit::server::Options;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::stage::{CONSENT, REDIRECT, Stage, parameter};

/// Row 1: consent that is skipped because it was given before (GHSA-6x8h-498w-gv8c).
#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_allowed_before_is_asked_about_again_and_gets_no_code_by_itself() {
    let mut stage = Stage::open().await;
    let client = stage.client().await;
    let page = stage.look(&client, REDIRECT).await;
    let first = stage.approve(&page).await;
    assert!(parameter(&first, "code").is_some());
    // The same client, the same scopes, a live session whose password was just given.
    let again = stage.look(&client, REDIRECT).await;
    assert_eq!((again.status, again.location.as_deref()), (StatusCode::OK, None));
    assert!(again.find_form(CONSENT).is_some_and(|form| form.fields.iter().any(|(name, _)| name == "scope")));
    // A page of another site sends the browser there.
    let request = stage.http.get(stage.request(&client, REDIRECT)).header("sec-fetch-site", "cross-site");
    let to = request.header("cookie", stage.owner.cookie()).send().await.unwrap();
    let consent = to.headers()["location"].to_str().unwrap().to_owned();
    assert!(consent.starts_with(&stage.at(CONSENT)), "{consent}");
    let request = stage.http.get(&consent).header("sec-fetch-site", "cross-site");
    let shown = request.header("cookie", stage.owner.cookie()).send().await.unwrap();
    assert_eq!((shown.status(), shown.headers().get("location")), (StatusCode::OK, None));
}

/// A yes by whoever has just proved who they are.
async fn answer(browser: &mut Browser, page: &Page) -> (StatusCode, Option<String>) {
    let mut fields = Stage::yes(page);
    fields.retain(|(name, _)| name != "password");
    let answered = browser.send(Method::POST, CONSENT, Some(&fields)).await;
    (answered.status, answered.location)
}

/// Row 2: consent in one browser, finished in another (CVE-2026-27124).
#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_by_the_session_that_saw_it_once_and_within_ten_minutes() {
    let mut stage = Stage::open().await;
    let client = stage.client().await;
    let refused = (StatusCode::FORBIDDEN, None);
    let page = stage.look(&client, REDIRECT).await;
    let handle = page.form(CONSENT).fields.iter().find(|(name, _)| name == "h").unwrap().1.clone();
    let mut other = Browser::signed_in(&stage.server.url, MAIL, PASSWORD).await;
    let theirs = other.get(&format!("{CONSENT}?h={handle}")).await;
    assert_eq!((theirs.status, theirs.find_form(CONSENT).is_none()), (StatusCode::FORBIDDEN, true));
    // With a form token of their own, and this handle.
    let address = stage.request(&client, REDIRECT);
    let mut forged = other.get(&address).await;
    let own = forged.form(CONSENT).fields.iter().find(|(name, _)| name == "h").unwrap().1.clone();
    forged.body = forged.body.replace(&own, &handle);
    assert_eq!(answer(&mut other, &forged).await, refused);
    let (status, location) = answer(&mut stage.owner, &page).await;
    assert!(status.is_redirection() && parameter(&location.unwrap(), "code").is_some());
    let page_again = stage.look(&client, REDIRECT).await;
    let fresh = page_again.form(CONSENT).fields.iter().find(|(name, _)| name == "h").unwrap().1.clone();
    let mut twice = page_again.clone();
    twice.body = twice.body.replace(&fresh, &handle);
    assert_eq!(answer(&mut stage.owner, &twice).await, refused);
    let variables = BTreeMap::from([(VARIABLE.to_owned(), "601".to_owned())]);
    stage.restart(Options { variables, ..Options::default() }).await;
    assert_eq!(answer(&mut stage.owner, &page_again).await, refused);
}

/// The password moves the session to a new token: the browser has to get it, whatever becomes of the question.
#[tokio::test(flavor = "multi_thread")]
async fn a_password_that_is_given_to_a_question_that_is_over_signs_nobody_out() {
    let mut stage = Stage::open().await;
    let client = stage.client().await;
    let page = stage.look(&client, REDIRECT).await;
    stage.approve(&page).await;
    let late = stage.owner.send(Method::POST, CONSENT, Some(&Stage::yes(&page))).await;
    assert_eq!((late.status, late.location), (StatusCode::FORBIDDEN, None));
    let list = stage.owner.get("/connected").await;
    assert!(list.status.is_success() && list.body.contains("Agent"), "{} {}", list.status, list.body);
}

/// Row 3: an answer that another site posts with the owner's cookies.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_another_site_posts_is_refused_and_two_tabs_are_both_answered() {
    let mut stage = Stage::open().await;
    let client = stage.client().await;
    let (one, two) = (stage.look(&client, REDIRECT).await, stage.look(&client, REDIRECT).await);
    let fields = Stage::yes(&one);
    let without: Vec<_> = fields.iter().filter(|(name, _)| name != "csrf").cloned().collect();
    let mut other = without.clone();
    other.push(("csrf".to_owned(), "x".repeat(43)));
    let own = stage.server.url.clone();
    let cookie = stage.owner.cookie();
    for (origin, site, cookie, fields) in [
        (Some("https://evil.example"), "cross-site", cookie.as_str(), &fields),
        (Some("null"), "cross-site", cookie.as_str(), &fields),
        (None, "cross-site", cookie.as_str(), &fields),
        (None, "same-site", cookie.as_str(), &fields),
        (Some(own.as_str()), "same-origin", cookie.as_str(), &without),
        (Some(own.as_str()), "same-origin", cookie.as_str(), &other),
        (Some(own.as_str()), "same-origin", "", &fields),
    ] {
        let request = stage.http.post(stage.at(CONSENT)).header("sec-fetch-site", site);
        let request = match origin {
            Some(origin) => request.header("origin", origin),
            None => request,
        };
        let answer = request.header("cookie", cookie).form(fields).send().await.unwrap();
        let expected = if cookie.is_empty() { StatusCode::UNAUTHORIZED } else { StatusCode::FORBIDDEN };
        let told = (answer.status(), answer.headers().get("location").is_none());
        assert_eq!(told, (expected, true), "{origin:?} {site}");
    }
    for page in [one, two] {
        assert!(parameter(&stage.approve(&page).await, "code").is_some());
    }
}

/// Row 4: a page of the sign-in inside a frame of another site.
#[tokio::test(flavor = "multi_thread")]
async fn no_page_on_the_way_to_consent_can_be_framed() {
    let mut stage = Stage::open().await;
    let client = stage.client().await;
    let question = stage.http.get(stage.request(&client, REDIRECT)).send().await.unwrap();
    let question = question.headers()["location"].to_str().unwrap().to_owned();
    let wrong = stage.request("cs_cl_x", REDIRECT);
    let over = stage.at("/external-assistant-authorize?h=x");
    let sign_in = stage.at("/sign-in");
    for (address, status) in [(&question, 200), (&wrong, 400), (&over, 403), (&sign_in, 200)] {
        let request = stage.http.get(address);
        let cookie = if *address == sign_in { String::new() } else { stage.owner.cookie() };
        let page = request.header("cookie", cookie).send().await.unwrap();
        let header = |name: &str| page.headers().get(name).map_or("", |value| value.to_str().unwrap());
        assert_eq!(page.status().as_u16(), status, "{address}");
        assert!(header("content-security-policy").contains("frame-ancestors 'none'"), "{address}");
        assert!(header("content-security-policy").contains("default-src 'none'"), "{address}");
        assert_eq!(header("x-frame-options"), "DENY", "{address}");
        assert!(header("content-type").starts_with("text/html"), "{address}");
    }
    // The form leads to the client, which a policy for forms would stop in some browsers.
    let page = stage.http.get(&question).header("cookie", stage.owner.cookie()).send().await.unwrap();
    assert!(!page.headers()["content-security-policy"].to_str().unwrap().contains("form-action"));
    assert!(stage.owner.get(&question).await.find_form(CONSENT).is_some());
}

/// Row 6: markup and scripts in what a client says of itself.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_says_of_itself_stays_text_and_loads_nothing() {
    let mut stage = Stage::open().await;
    for name in
        ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a&lt;b", "'/**/--", "{{7*7}}${7*7}"]
    {
        let client = stage
            .register(&json!({
                "client_name": name, "redirect_uris": [REDIRECT], "client_uri": "javascript:alert(1)",
                "logo_uri": "https://evil.example/logo.svg", "tos_uri": "data:text/html,x", "policy_uri": "//evil.example",
            }))
            .await;
        let page = stage.look(&client, REDIRECT).await;
        assert_eq!(page.status, StatusCode::OK, "{name}");
        for never in [
            "<script>alert",
            "<img src=x",
            "onerror=alert(1)>",
            "\"img src=x",
            "a&lt;b",
            "evil.example",
            "javascript:",
            "data:text",
        ] {
            assert!(!page.body.contains(never), "{name}: {never}\n{}", page.body);
        }
        assert!(page.body.contains("The name is not verified"), "{name}");
        let (location, list) = (stage.approve(&page).await, stage.owner.get("/connected").await);
        assert!(parameter(&location, "code").is_some());
        assert!(!list.body.contains("<script>alert") && !list.body.contains("<img src=x"), "{name}");
    }
    for uri in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x"] {
        let metadata = json!({ "client_name": "x", "redirect_uris": [REDIRECT, uri] });
        let answer = stage
            .http
            .post(stage.at("/api/v1/external-oauth/register"))
            .json(&metadata)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{uri}");
    }
}

/// Row 17: a program on this computer under the name of a known client.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_goes_to_an_app_on_this_computer_is_warned_of_with_its_port() {
    let mut stage = Stage::open().await;
    for (local, place) in [
        ("http://127.0.0.1:41234/callback", "127.0.0.1:41234"),
        ("https://localhost:4444/cb", "localhost:4444"),
        ("https://127.0.0.1:4444/cb", "127.0.0.1:4444"),
    ] {
        let client = stage.register(&json!({ "client_name": "Claude", "redirect_uris": [local] })).await;
        let page = stage.look(&client, local).await;
        for told in ["an app on this computer", place, "any program here could use this name", "not verified"]
        {
            assert!(page.body.contains(told), "{local}: {told}\n{}", page.body);
        }
    }
    let client = stage.client().await;
    let page = stage.look(&client, REDIRECT).await;
    assert!(page.body.contains("host.example") && !page.body.contains("on this computer"));
}
