//! The pages of one's own account and of the workspace's people, by their forms.

use countersign_app::testing::authenticator::Authenticator;
use http::StatusCode;
use serde_json::Value;

use crate::house::{Answer, House, MAIL, PASSWORD};

const HERE: &str = "http://localhost:8420";
const BOB: &str = "bob@example.org";

impl House {
    async fn page(&self, path: &str, cookie: &str) -> Answer {
        self.get(path, &[("cookie", cookie)]).await
    }

    /// A passkey of whoever is signed in.
    async fn passkey(&self, cookie: &str) -> Authenticator {
        let csrf = self.csrf(cookie).await;
        let asked = self.post("/settings/passkeys/ask", cookie, &[("csrf", &csrf)]).await.json();
        let mut key = Authenticator::new(1);
        let made = key.make(&asked, HERE);
        let fields = [("csrf", csrf.as_str()), ("name", "My laptop"), ("credential", &made)];
        let added = self.post("/settings/passkeys", cookie, &fields).await;
        assert_eq!(added.goes_to(), "/settings?done=passkey-added");
        key
    }

    /// What the sign-in form answers to this passkey, used on a page of this origin.
    async fn enter(&self, key: &Authenticator, origin: &str) -> Answer {
        let page = self.get("/sign-in?to=/settings", &[]).await;
        let (csrf, cookie) = (page.field("csrf"), page.cookie("cs_form").unwrap_or_default());
        let asked = self.post("/sign-in/passkey", &cookie, &[("csrf", &csrf)]).await.json();
        let signed = key.sign(&asked, origin);
        let fields = [("csrf", csrf.as_str()), ("to", "/settings"), ("credential", &signed)];
        self.post("/sign-in", &cookie, &fields).await
    }

    async fn proof(&self, key: &Authenticator, cookie: &str) -> (String, String) {
        let csrf = self.csrf(cookie).await;
        let asked = self.post("/sudo/passkey", cookie, &[("csrf", &csrf)]).await.json();
        (csrf, key.sign(&asked, HERE))
    }
}

#[tokio::test]
async fn a_passkey_is_added_signs_in_and_is_removed_by_forms() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let key = house.passkey(&cookie).await;
    let entered = house.enter(&key, HERE).await;
    assert_eq!(entered.goes_to(), "/settings");
    let page = house.page("/settings", &entered.cookie("cs_session").unwrap()).await;
    assert!(page.text.contains("My laptop") && page.text.contains("last used"), "{}", page.text);
    let (_, rest) = page.text.split_once("/settings/passkeys/0").unwrap();
    let remove = format!("/settings/passkeys/0{}", rest.split_once('"').unwrap().0);
    let csrf = house.csrf(&cookie).await;
    let gone = house.post(&remove, &cookie, &[("csrf", &csrf)]).await;
    assert_eq!(gone.goes_to(), "/settings?done=passkey-removed");
    let refused = house.enter(&key, HERE).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(refused.text.contains("passkey_refused") && refused.cookie("cs_session").is_none());
}

#[tokio::test]
async fn a_passkey_that_a_page_of_another_site_asked_for_signs_nobody_in() {
    let house = House::new().await;
    let key = house.passkey(&house.sign_in().await).await;
    let refused = house.enter(&key, "https://evil.example").await;
    assert!(refused.text.contains(&format!("Open the app at {HERE}")), "{}", refused.text);
    assert!(refused.cookie("cs_session").is_none());
}

#[tokio::test]
async fn a_passkey_opens_the_sudo_window_on_its_page_and_at_consent() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let key = house.passkey(&cookie).await;
    house.test.clock.advance_seconds(600);
    let closed = house.page("/settings", &cookie).await;
    assert!(closed.text.contains("Confirm it is you") && !closed.text.contains("data-call=\"create\""));
    let (csrf, signed) = house.proof(&key, &cookie).await;
    let fields = [("csrf", csrf.as_str()), ("to", "/settings"), ("credential", &signed)];
    let proved = house.post("/sudo", &cookie, &fields).await;
    assert_eq!(proved.goes_to(), "/settings");
    let cookie = proved.cookie("cs_session").unwrap();
    assert!(house.page("/settings", &cookie).await.text.contains("data-call=\"create\""));

    house.test.clock.advance_seconds(600);
    let (csrf, signed) = house.proof(&key, &cookie).await;
    let handle = "A".repeat(43);
    let fields =
        [("csrf", csrf.as_str()), ("h", &handle), ("answer", "approve"), ("credential", signed.as_str())];
    let answer = house.post("/external-assistant-authorize", &cookie, &fields).await;
    assert!(answer.text.contains("consent_not_open"), "nothing was asked: {}", answer.text);
    let cookie = answer.cookie("cs_session").expect("the person was proved first");
    assert!(house.page("/settings", &cookie).await.text.contains("data-call=\"create\""));
}

#[tokio::test]
async fn what_opens_an_account_is_changed_after_one_was_asked_who_one_is() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let csrf = house.csrf(&cookie).await;
    house.test.clock.advance_seconds(600);
    let fields = [("csrf", csrf.as_str()), ("password", "another long sentence")];
    let password = house.post("/settings/password", &cookie, &fields).await;
    assert_eq!(password.goes_to(), "/sudo?to=/settings");
    let asked = house.post("/settings/passkeys/ask", &cookie, &[("csrf", &csrf)]).await;
    assert_eq!((asked.status, asked.json()["code"].as_str()), (StatusCode::FORBIDDEN, Some("sudo_required")));
    let fields = [("csrf", csrf.as_str()), ("name", "n"), ("scope", "api"), ("hours", "1")];
    assert_eq!(house.post("/tokens", &cookie, &fields).await.goes_to(), "/sudo?to=/tokens");
}

#[tokio::test]
async fn another_password_signs_out_everywhere_else() {
    let house = House::new().await;
    let (cookie, other) = (house.sign_in().await, house.sign_in().await);
    let csrf = house.csrf(&cookie).await;
    let short = house.post("/settings/password", &cookie, &[("csrf", &csrf), ("password", "short")]).await;
    assert!(short.status == StatusCode::BAD_REQUEST && short.text.contains("at least 12 characters"));
    let fields = [("csrf", csrf.as_str()), ("password", "another long sentence")];
    let changed = house.post("/settings/password", &cookie, &fields).await;
    assert_eq!(changed.goes_to(), "/settings?done=password-changed");
    assert_eq!(house.page("/settings", &other).await.goes_to(), "/sign-in?to=/settings");
    assert_eq!(house.page("/settings", &cookie).await.status, StatusCode::OK);
    let third = house.sign_in_as(MAIL, "another long sentence").await;
    let out = house.post("/settings/sign-out-elsewhere", &cookie, &[("csrf", &csrf)]).await;
    assert_eq!(out.goes_to(), "/settings?done=signed-out-elsewhere");
    assert_eq!(house.page("/settings", &third).await.goes_to(), "/sign-in?to=/settings");
}

#[tokio::test]
async fn a_token_is_shown_once_works_and_is_revoked() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let csrf = house.csrf(&cookie).await;
    let fields =
        |scope, hours| [("csrf", csrf.as_str()), ("name", "Build"), ("scope", scope), ("hours", hours)];
    let made = house.post("/tokens", &cookie, &fields("api", "24")).await;
    assert_eq!((made.status, made.header("cache-control")), (StatusCode::OK, "no-store"));
    let (_, rest) = made.text.split_once("cs_pat_").unwrap();
    let secret = format!("cs_pat_{}", rest.split_once('<').unwrap().0);
    assert_eq!(house.call("GET", "/api/v1/me", &secret, Value::Null).await.status, StatusCode::OK);
    let page = house.page("/tokens", &cookie).await;
    assert!(page.text.contains("Build") && !page.text.contains("cs_pat_"));
    let (_, rest) = page.text.split_once("action=\"/tokens/").unwrap();
    let revoke = format!("/tokens/{}", rest.split_once('"').unwrap().0);
    assert_eq!(house.post(&revoke, &cookie, &[("csrf", &csrf)]).await.goes_to(), "/tokens");
    assert_eq!(house.call("GET", "/api/v1/me", &secret, Value::Null).await.status, StatusCode::UNAUTHORIZED);
    let long = house.post("/tokens", &cookie, &fields("proposals:decide", "720")).await;
    assert!(long.status == StatusCode::BAD_REQUEST && long.text.contains("60 to 86400 seconds"));
    let none = house.post("/tokens", &cookie, &fields("nothing", "1")).await;
    assert!(none.text.contains("at least one of") && none.text.contains("value=\"Build\""));
}

#[tokio::test]
async fn owners_see_the_people_and_make_another_owner_and_one_is_always_left() {
    let house = House::new().await;
    let bob = house.member(BOB).await;
    assert_eq!(house.page("/people", &bob).await.status, StatusCode::FORBIDDEN);
    let cookie = house.sign_in().await;
    let csrf = house.csrf(&cookie).await;
    let page = house.page("/people", &cookie).await;
    let mut actions = page.text.split("action=\"/people/").skip(1);
    let mut of = |verb: &str| {
        let rest = actions.find(|rest| rest.contains(&format!("/{verb}\""))).unwrap();
        format!("/people/{}", rest.split_once('/').unwrap().0)
    };
    let bobs = of("role");
    let token = house.token(&["api"]).await;
    let me = house.call("GET", "/api/v1/me", &token, Value::Null).await.json();
    let ada = format!("/people/{}", me["id"].as_str().unwrap());
    let last = house.post(&format!("{ada}/role"), &cookie, &[("csrf", &csrf), ("role", "member")]).await;
    assert!(last.status == StatusCode::CONFLICT && last.text.contains("last_owner"), "{}", last.text);
    let made = house.post(&format!("{bobs}/role"), &cookie, &[("csrf", &csrf), ("role", "owner")]).await;
    assert_eq!(made.goes_to(), "/people");
    assert_eq!(house.page("/people", &bob).await.status, StatusCode::OK);
    let out = house.post(&format!("{bobs}/disable"), &cookie, &[("csrf", &csrf)]).await;
    assert_eq!(out.goes_to(), "/people");
    assert_eq!(house.page("/people", &bob).await.goes_to(), "/sign-in?to=/people");
    let within = house.post(&format!("{bobs}/enable"), &cookie, &[("csrf", &csrf)]).await;
    assert_eq!(within.goes_to(), "/people");
    let bob = house.sign_in_as(BOB, PASSWORD).await;
    assert_eq!(house.page("/people", &bob).await.status, StatusCode::OK);
}
