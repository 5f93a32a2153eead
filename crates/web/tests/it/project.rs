//! The pages of projects, by their forms.

use countersign_core::id::ProjectId;
use http::StatusCode;

use crate::house::{Answer, House, PASSWORD};

const BOB: &str = "bob@example.org";
const MARY: &str = "mary@example.org";

impl House {
    async fn look(&self, path: &str, cookie: &str) -> Answer {
        self.get(path, &[("cookie", cookie)]).await
    }

    /// A project that the owner makes on its page.
    async fn project(&self, cookie: &str, name: &str) -> String {
        let csrf = self.csrf(cookie).await;
        let made = self.post("/projects", cookie, &[("csrf", &csrf), ("name", name)]).await;
        let address = made.goes_to().to_owned();
        assert!(
            address.strip_prefix("/projects/").is_some_and(|id| ProjectId::parse(id).is_ok()),
            "{address}"
        );
        address
    }
}

#[tokio::test]
async fn an_owner_makes_a_project_and_a_name_that_is_taken_is_said_beside_the_field() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let project = house.project(&cookie, "Orchard").await;
    let list = house.look("/projects", &cookie).await;
    assert!(list.text.contains(&project) && list.text.contains("Make project"));
    let csrf = house.csrf(&cookie).await;
    let taken = house.post("/projects", &cookie, &[("csrf", &csrf), ("name", "Orchard")]).await;
    assert_eq!(taken.status, StatusCode::CONFLICT);
    assert!(
        taken.text.contains("id=\"name-about\"") && taken.text.contains("value=\"Orchard\""),
        "{}",
        taken.text
    );
}

#[tokio::test]
async fn a_member_sees_their_own_projects_and_makes_none() {
    let house = House::new().await;
    let bob = house.member(BOB).await;
    let project = house.project(&house.sign_in().await, "Orchard").await;
    let list = house.look("/projects", &bob).await;
    assert!(
        list.text.contains("General")
            && !list.text.contains("Orchard")
            && !list.text.contains("Make project")
    );
    assert_eq!(house.look(&project, &bob).await.status, StatusCode::NOT_FOUND);
    let csrf = house.csrf(&bob).await;
    let refused = house.post("/projects", &bob, &[("csrf", &csrf), ("name", "Mine")]).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn members_are_added_changed_and_removed_on_the_page_of_their_project() {
    let house = House::new().await;
    let bob = house.member(BOB).await;
    let cookie = house.sign_in().await;
    let (project, csrf) = (house.project(&cookie, "Orchard").await, house.csrf(&cookie).await);
    let members = format!("{project}/members");
    let fields = [("csrf", csrf.as_str()), ("mail", BOB), ("role", "viewer")];
    assert_eq!(house.post(&members, &cookie, &fields).await.goes_to(), project);
    let seen = house.look(&project, &bob).await;
    assert!(seen.text.contains("you are viewer") && !seen.text.contains("Add a member"), "{}", seen.text);
    let page = house.look(&project, &cookie).await;
    let (_, rest) = page.text.split_once(&format!("action=\"{members}/")).unwrap();
    let bobs = format!("{members}/{}", rest.split_once('/').unwrap().0);
    let role = house.post(&format!("{bobs}/role"), &cookie, &[("csrf", &csrf), ("role", "owner")]).await;
    assert_eq!(role.goes_to(), project);
    assert!(house.look(&project, &bob).await.text.contains("Add a member"));
    // Somebody who takes themselves off it is led to where they may be.
    let own = house.csrf(&bob).await;
    assert_eq!(house.post(&format!("{bobs}/remove"), &bob, &[("csrf", &own)]).await.goes_to(), "/projects");
    assert_eq!(house.look(&project, &bob).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_account_is_made_on_the_way_after_one_was_asked_who_one_is() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let (project, csrf) = (house.project(&cookie, "Orchard").await, house.csrf(&cookie).await);
    let members = format!("{project}/members");
    let add = async |name, password| {
        let fields = [
            ("csrf", csrf.as_str()),
            ("mail", MARY),
            ("role", "editor"),
            ("name", name),
            ("password", password),
        ];
        house.post(&members, &cookie, &fields).await
    };
    let unknown = add("", "").await;
    assert!(unknown.status == StatusCode::NOT_FOUND && unknown.text.contains(MARY), "{}", unknown.text);
    let short = add("Mary Somerville", "short").await;
    assert!(short.status == StatusCode::BAD_REQUEST && short.text.contains("value=\"Mary Somerville\""));
    house.test.clock.advance_seconds(600);
    assert_eq!(add("Mary Somerville", PASSWORD).await.goes_to(), format!("/sudo?to={project}"));
    let fields = [("csrf", csrf.as_str()), ("password", PASSWORD), ("to", project.as_str())];
    let proved = house.post("/sudo", &cookie, &fields).await;
    assert_eq!(proved.goes_to(), project);
    let cookie = proved.cookie("cs_session").unwrap();
    let csrf = house.csrf(&cookie).await;
    let fields = [
        ("csrf", csrf.as_str()),
        ("mail", MARY),
        ("role", "editor"),
        ("name", "Mary Somerville"),
        ("password", PASSWORD),
    ];
    assert_eq!(house.post(&members, &cookie, &fields).await.goes_to(), project);
    let mary = house.sign_in_as(MARY, PASSWORD).await;
    assert!(house.look(&project, &mary).await.text.contains("you are editor"));
}
