//! New repositories: begun with a README, imported from a URL, tried again, taken back.

use std::time::Duration;

use http::StatusCode;

use crate::house::{Answer, House};

const NOWHERE: &str = "https://nowhere.example/team/notes.git";
const SLOW: &str = "https://slow.example/team/notes.git";

/// The owner at the forms.
struct Desk {
    house: House,
    cookie: String,
    csrf: String,
    project: String,
}

impl Desk {
    async fn new() -> Self {
        let house = House::new().await;
        let cookie = house.sign_in().await;
        let page = house.get("/repositories/new", &[("cookie", &cookie)]).await;
        let project =
            page.text.split("<option value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        Self { csrf: page.field("csrf"), house, cookie, project }
    }

    async fn get(&self, path: &str) -> Answer {
        self.house.get(path, &[("cookie", &self.cookie)]).await
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let whole = [&[("csrf", self.csrf.as_str())], fields].concat();
        self.house.post(path, &self.cookie, &whole).await
    }

    async fn make(&self, name: &str) -> Answer {
        self.post("/repositories/new", &[("name", name), ("project", &self.project)]).await
    }

    async fn import(&self, name: &str, url: &str) -> Answer {
        let fields = [("name", name), ("project", self.project.as_str()), ("url", url)];
        self.post("/repositories/import", &fields).await
    }

    /// The list once it holds these words.
    async fn list_with(&self, words: &str) -> String {
        let look = async {
            loop {
                let text = self.get("/repositories").await.text;
                if text.contains(words) {
                    return text;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), look).await.expect("it comes to that")
    }
}

/// The id in the form that takes an import back.
fn discard(text: &str) -> String {
    let before = text.split("/import/discard\"").next().unwrap();
    format!("/repositories/{}/import/discard", before.rsplit('/').next().unwrap())
}

#[tokio::test]
async fn a_repository_is_made_and_its_page_is_there() {
    let desk = Desk::new().await;
    let empty = desk.get("/repositories").await.text;
    for command in [
        "countersign repo create NAME --project PROJECT",
        "countersign repo import SOURCE --name NAME --project PROJECT",
    ] {
        assert!(empty.contains(command), "{empty}");
    }
    let made = desk.make("engine").await;
    let page = desk.get(made.goes_to()).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("engine") && page.text.contains("README.md"), "{}", page.text);
    assert!(desk.get("/repositories").await.text.contains("href=\"/repositories/new\""));
}

#[tokio::test]
async fn an_empty_one_says_how_to_push_a_first_commit() {
    let desk = Desk::new().await;
    let (project, empty) = (("project", desk.project.as_str()), ("first", "nothing"));
    let refused = desk.post("/repositories/new", &[("name", "a <b>"), project, empty]).await;
    assert!(refused.text.contains("<option value=\"nothing\" selected>"), "{}", refused.text);
    let made = desk.post("/repositories/new", &[("name", "engine"), project, empty]).await;
    let page = desk.get(made.goes_to()).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("git push -u origin HEAD:main"), "{}", page.text);
    assert!(desk.get("/repositories").await.text.contains("no commit yet"));
}

#[tokio::test]
async fn a_refusal_stands_beside_its_field_and_what_was_typed_is_kept() {
    let desk = Desk::new().await;
    desk.make("engine").await.goes_to();
    let nowhere = "0190f0f0-0000-7000-8000-000000000001";
    let (readme, url) = ("/repositories/new", "/repositories/import");
    for (path, name, project, source, field, status, words) in [
        (readme, "a <b>", desk.project.as_str(), "", "name", 400, "1 to 64 letters"),
        (readme, "Engine", &desk.project, "", "name", 409, "There is a repository"),
        (readme, "other", nowhere, "", "project", 404, "no such project"),
        (readme, "other", "x", "", "project", 400, "one of the offered values"),
        (url, "-x", &desk.project, NOWHERE, "import-name", 400, "1 to 64 letters"),
        (url, "engine", &desk.project, NOWHERE, "import-name", 409, "There is a repository"),
        (url, "other", &desk.project, "http://a.example/r", "url", 400, "https"),
        (url, "other", &desk.project, "https://a.example/r?x=1", "url", 400, "leave the query out"),
    ] {
        let answer = desk.post(path, &[("name", name), ("project", project), ("url", source)]).await;
        assert_eq!(answer.status, status, "{path} {name}: {}", answer.text);
        let about = format!("role=\"alert\" id=\"{field}-about\">");
        let beside = answer.text.split(&about).nth(1).unwrap_or_else(|| panic!("{field}: {}", answer.text));
        assert!(beside.split("</p>").next().unwrap().contains(words), "{field}: {beside}");
        assert_eq!(answer.text.matches("role=\"alert\"").count(), 1, "{field}: {}", answer.text);
        let kept = name.replace('<', "&lt;").replace('>', "&gt;");
        assert_eq!(answer.text.matches(&format!("value=\"{kept}\"")).count(), 1, "{}", answer.text);
        assert!(source.is_empty() || answer.text.contains(&format!("value=\"{source}\"")), "{}", answer.text);
    }
    assert!(!desk.get("/repositories").await.text.contains(">other<"));
}

#[tokio::test]
async fn an_import_that_failed_says_why_and_is_tried_again_or_discarded() {
    let desk = Desk::new().await;
    assert_eq!(desk.import("notes", NOWHERE).await.goes_to(), "/repositories");
    let text = desk.list_with("Try again").await;
    assert!(text.contains("nowhere.example") && text.contains("small wrong"), "{text}");
    for (name, value) in [("url", NOWHERE), ("name", "notes"), ("project", &desk.project)] {
        let hidden = format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">");
        assert!(text.contains(&hidden), "what was asked for is asked for again: {text}");
    }
    assert_eq!(desk.import("notes", NOWHERE).await.goes_to(), "/repositories");
    let text = desk.list_with("Try again").await;
    let path = discard(&text);
    assert_eq!(desk.post(&path, &[]).await.goes_to(), "/repositories");
    let text = desk.get("/repositories").await.text;
    assert!(!text.contains("Try again") && !text.contains(">notes<"), "{text}");
    assert_eq!(desk.post(&path, &[]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_import_under_way_shows_how_far_it_is_and_is_not_discarded() {
    let desk = Desk::new().await;
    desk.house.test.outside.slow("slow.example", Duration::from_hours(1));
    desk.import("notes", SLOW).await.goes_to();
    let text = desk.get("/repositories").await.text;
    assert!(text.contains("<progress") && text.contains("Asking for the repository"), "{text}");
    assert!(!text.contains("Try again") && !text.contains("/discard"), "{text}");
    let id = text.split("id=\"i-").nth(1).unwrap().split('"').next().unwrap();
    let early = desk.post(&format!("/repositories/{id}/import/discard"), &[]).await;
    assert_eq!(early.status, StatusCode::CONFLICT);
    assert!(early.text.contains("version_conflict"), "{}", early.text);
}

#[tokio::test]
async fn who_does_not_own_the_workspace_sees_no_import_and_makes_nothing() {
    let desk = Desk::new().await;
    desk.house.test.outside.slow("slow.example", Duration::from_hours(1));
    desk.import("notes", SLOW).await.goes_to();
    let text = desk.get("/repositories").await.text;
    let id = text.split("id=\"i-").nth(1).unwrap().split('"').next().unwrap();
    let bob = desk.house.member("bob@example.org").await;
    let csrf = desk.house.csrf(&bob).await;
    let list = desk.house.get("/repositories", &[("cookie", &bob)]).await;
    assert_eq!(list.status, StatusCode::OK);
    for word in ["New repository", "slow.example", "countersign repo", "role_required", "of=imports"] {
        assert!(!list.text.contains(word), "{word}: {}", list.text);
    }
    let page = desk.house.get("/repositories/new", &[("cookie", &bob)]).await;
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    let fields = [("csrf", csrf.as_str()), ("name", "his"), ("project", &desk.project), ("url", NOWHERE)];
    for (path, status) in [
        ("/repositories/new".to_owned(), StatusCode::FORBIDDEN),
        ("/repositories/import".to_owned(), StatusCode::FORBIDDEN),
        (format!("/repositories/{id}/import/discard"), StatusCode::NOT_FOUND),
    ] {
        assert_eq!(desk.house.post(&path, &bob, &fields).await.status, status, "{path}");
    }
    let text = desk.get("/repositories").await.text;
    assert!(text.contains(">notes<") && !text.contains(">his<"), "{text}");
}
