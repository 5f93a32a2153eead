//! An invitation from the page of people to the account, by the forms.

use http::StatusCode;

use crate::house::{Answer, House, PASSWORD};

const MARY: &str = "mary@example.org";

impl House {
    /// What the form of the page of people answers.
    async fn invite(&self, cookie: &str, mail: &str) -> Answer {
        let csrf = self.csrf(cookie).await;
        let fields = [("csrf", csrf.as_str()), ("mail", mail), ("role", "member"), ("project", "")];
        self.post("/people/invitations", cookie, &fields).await
    }

    /// Sends a form of somebody who is not signed in.
    async fn stranger(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let page = self.get("/join", &[]).await;
        let csrf = page.field("csrf");
        let all: Vec<(&str, &str)> = [("csrf", csrf.as_str())].iter().chain(fields).copied().collect();
        self.post(path, &page.cookie("cs_form").unwrap(), &all).await
    }
}

/// The code in the link that a page shows.
fn code(page: &Answer) -> String {
    let (_, rest) = page.text.split_once("/join#").unwrap_or_else(|| panic!("no link in {}", page.text));
    rest.split_once('<').unwrap().0.to_owned()
}

#[tokio::test]
async fn an_owner_invites_by_a_link_that_is_shown_once_and_somebody_comes_by_it() {
    let house = House::new().await;
    let owner = house.sign_in().await;
    let made = house.invite(&owner, MARY).await;
    assert_eq!((made.status, made.header("cache-control")), (StatusCode::OK, "no-store"));
    let code = code(&made);
    let again = house.get("/people", &[("cookie", &owner)]).await;
    assert!(again.text.contains(MARY) && !again.text.contains(&code), "the link is seen once");

    let offer = house.stranger("/join/look", &[("token", &code)]).await;
    assert_eq!(offer.status, StatusCode::OK);
    assert!(offer.text.contains("invites you as a member") && offer.text.contains(MARY), "{}", offer.text);
    let short = [("token", code.as_str()), ("name", "Mary"), ("password", "short")];
    let refused = house.stranger("/join", &short).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.text.contains("at least 12 characters") && refused.text.contains("value=\"Mary\""));
    let fields = [("token", code.as_str()), ("name", "Mary"), ("password", PASSWORD)];
    let came = house.stranger("/join", &fields).await;
    assert_eq!(came.goes_to(), "/");
    let cookie = came.cookie("cs_session").unwrap();
    assert!(house.get("/settings", &[("cookie", &cookie)]).await.text.contains("Mary"));
    let late = house.stranger("/join", &fields).await;
    assert_eq!(late.status, StatusCode::NOT_FOUND);
    assert!(
        late.text.contains("This invitation is over") && late.text.contains("href=\"/sign-in\""),
        "{}",
        late.text
    );
}

#[tokio::test]
async fn a_withdrawn_link_opens_nothing_and_who_is_here_needs_none() {
    let house = House::new().await;
    let owner = house.sign_in().await;
    let code = code(&house.invite(&owner, MARY).await);
    let page = house.get("/people", &[("cookie", &owner)]).await;
    let (_, rest) = page.text.split_once("action=\"/people/invitations/0").unwrap();
    let withdraw = format!("/people/invitations/0{}", rest.split_once('"').unwrap().0);
    let csrf = house.csrf(&owner).await;
    assert_eq!(house.post(&withdraw, &owner, &[("csrf", &csrf)]).await.goes_to(), "/people");
    let over = house.stranger("/join/look", &[("token", &code)]).await;
    assert_eq!(over.status, StatusCode::NOT_FOUND);
    assert!(
        over.text.contains("This invitation is over") && !over.text.contains("One field"),
        "{}",
        over.text
    );
    house.member(MARY).await;
    let known = house.invite(&owner, MARY).await;
    assert_eq!(known.status, StatusCode::CONFLICT);
    assert!(known.text.contains("one that has no account here") && known.text.contains("value=\"mary@"));
}

#[tokio::test]
async fn the_only_owner_is_not_offered_a_place_that_they_cannot_take() {
    let house = House::new().await;
    house.member(MARY).await;
    let owner = house.sign_in().await;
    let page = house.get("/people", &[("cookie", &owner)]).await;
    assert!(page.text.contains("the only one") && !page.text.contains("Make member"), "{}", page.text);
    let (_, rest) = page.text.split_once("Make owner: ").unwrap();
    assert!(rest.contains("Make owner<"), "{rest}");
    let form = page.text.split_once("value=\"owner\"").unwrap().0.rsplit_once("action=\"").unwrap().1;
    let (promote, csrf) = (form.split_once('"').unwrap().0, house.csrf(&owner).await);
    let done = house.post(promote, &owner, &[("csrf", &csrf), ("role", "owner")]).await;
    assert_eq!(done.goes_to(), "/people");
    let page = house.get("/people", &[("cookie", &owner)]).await;
    assert_eq!(page.text.matches("Make member<").count(), 2, "{}", page.text);
}

#[tokio::test]
async fn whoever_did_not_prove_who_they_are_is_asked_first() {
    let house = House::new().await;
    let owner = house.sign_in().await;
    house.test.clock.advance_seconds(600);
    let page = house.get("/people", &[("cookie", &owner)]).await;
    assert!(page.text.contains("Confirm who you are to invite") && !page.text.contains("Make invitation"));
    assert_eq!(house.invite(&owner, MARY).await.goes_to(), "/sudo?to=/people");
}

#[tokio::test]
async fn somebody_is_found_by_a_part_of_their_name_or_mail_address() {
    let house = House::new().await;
    house.member(MARY).await;
    let owner = house.sign_in().await;
    let found = house.get("/people?q=MARY%40", &[("cookie", &owner)]).await;
    let list = found.text.split_once("id=\"people\"").unwrap().1.split_once("</section>").unwrap().0;
    assert!(list.contains(MARY) && !list.contains("ada@example.org"), "{list}");
    let nobody = house.get("/people?q=nobody", &[("cookie", &owner)]).await;
    assert!(nobody.text.contains("Nobody here has that"));
    assert!(nobody.text.contains("/live?of=count"), "what was asked for is not replaced by the live list");
}
