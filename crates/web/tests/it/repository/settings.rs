//! The settings of a repository: saved, refused, kept from who does not own it.

use http::StatusCode;
use serde_json::{Value, json};

use super::{Garden, links};
use crate::house::{Answer, MAIL};

/// What an owner looks at, ready to be sent back.
struct Form {
    csrf: String,
    seen: String,
}

impl Garden {
    async fn form(&self) -> Form {
        let page = self.page("/settings").await;
        Form { csrf: page.field("csrf"), seen: page.field("seen") }
    }

    async fn post(&self, rest: &str, cookie: &str, fields: &[(&str, &str)]) -> Answer {
        self.house.post(&format!("/repositories/{}/{rest}", self.id), cookie, fields).await
    }

    async fn save(&self, form: &Form, fields: &[(&str, &str)]) -> Answer {
        let whole = [&[("csrf", form.csrf.as_str()), ("seen", &form.seen)], fields].concat();
        self.post("settings", &self.cookie, &whole).await
    }

    fn back(&self, saved: &str) -> String {
        format!("/repositories/{}/settings?saved={saved}", self.id)
    }
}

/// The text of a field with one entry a line.
fn area<'t>(text: &'t str, name: &str) -> &'t str {
    let rest = text.split(&format!("name=\"{name}\"")).nth(1).unwrap();
    rest.split_once('>').unwrap().1.split("</textarea>").next().unwrap().strip_prefix('\n').unwrap()
}

#[tokio::test]
async fn an_owner_sets_who_sees_it_what_is_protected_and_who_decides() {
    let garden = Garden::new().await;
    let text = garden.text("/settings").await;
    assert!(text.contains(".github/workflows/") && text.contains(".gitmodules"), "{text}");
    assert!(!text.contains(" checked") && !text.contains("Saved"), "{text}");
    assert_eq!(area(&text, "protected_branches"), "main");
    let form = garden.form().await;
    let saved = garden
        .save(
            &form,
            &[
                ("gitnest", "on"),
                ("other_decider", "on"),
                ("default_branch", "feature/x"),
                ("protected_branches", " main \r\n\r\nrelease\r\n"),
                ("protected_paths", "deploy/\r\nMakefile"),
            ],
        )
        .await;
    assert_eq!(saved.goes_to(), garden.back("settings"));
    let text = garden.text("/settings?saved=settings").await;
    assert!(text.contains("The settings are saved") && text.contains("Agents see it"), "{text}");
    assert_eq!(text.matches(" checked").count(), 2, "{text}");
    assert_eq!(area(&text, "protected_branches"), "main\nrelease");
    assert_eq!(area(&text, "protected_paths"), "Makefile\ndeploy/");
    assert!(text.contains("<option value=\"feature/x\" selected>"), "{text}");
    let form = garden.form().await;
    let emptied = [("default_branch", "main"), ("protected_branches", ""), ("protected_paths", "")];
    assert_eq!(garden.save(&form, &emptied).await.goes_to(), garden.back("settings"));
    let text = garden.text("/settings").await;
    assert!(!text.contains(" checked") && area(&text, "protected_branches").is_empty(), "{text}");
}

#[tokio::test]
async fn what_is_no_branch_or_path_is_refused_beside_its_field_and_kept() {
    let garden = Garden::new().await;
    let form = garden.form().await;
    for (field, value, status) in [
        ("protected_branches", "a..b", 400),
        ("protected_paths", "/etc", 400),
        ("default_branch", "nowhere", 404),
        ("default_branch", "a..b", 400),
    ] {
        let mut fields = vec![("gitnest", "on"), (field, value)];
        if field != "default_branch" {
            fields.push(("default_branch", "main"));
        }
        let answer = garden.save(&form, &fields).await;
        assert_eq!(answer.status, status, "{field}: {}", answer.text);
        assert!(answer.text.contains(&format!("role=\"alert\" id=\"{field}-about\"")), "{}", answer.text);
        assert_eq!(answer.text.matches(" checked").count(), 1, "what was ticked is kept: {}", answer.text);
        assert!(field == "default_branch" || area(&answer.text, field) == value, "{}", answer.text);
    }
    assert!(garden.text("").await.contains("Hidden from agents"), "nothing was saved");
}

#[tokio::test]
async fn what_somebody_else_saved_meanwhile_is_not_overwritten() {
    let garden = Garden::new().await;
    let (first, second) = (garden.form().await, garden.form().await);
    let fields = [("default_branch", "main"), ("protected_branches", "main\nrelease")];
    garden.save(&first, &fields).await.goes_to();
    let late = garden.save(&second, &[("default_branch", "main"), ("protected_branches", "")]).await;
    assert_eq!(late.status, StatusCode::CONFLICT, "{}", late.text);
    assert!(late.text.contains("version_conflict") && late.text.contains("Nothing of it was saved"));
    assert_eq!(area(&late.text, "protected_branches"), "main\nrelease", "it shows what counts now");
    let again = Form { csrf: late.field("csrf"), seen: late.field("seen") };
    garden.save(&again, &[("default_branch", "main"), ("protected_branches", "")]).await.goes_to();
    assert!(area(&garden.text("/settings").await, "protected_branches").is_empty());
}

#[tokio::test]
async fn a_repository_moves_to_another_project() {
    let garden = Garden::new().await;
    let token = garden.house.token(&["api"]).await;
    let other =
        garden.house.call("POST", "/api/v1/projects", &token, json!({ "name": "Other" })).await.json();
    let form = garden.form().await;
    let go = async |project: &str| {
        garden.post("project", &garden.cookie, &[("csrf", &form.csrf), ("project", project)]).await
    };
    for elsewhere in ["x", "0190f0f0-0000-7000-8000-000000000001"] {
        let refused = go(elsewhere).await;
        assert!(matches!(refused.status.as_u16(), 400 | 404), "{elsewhere}: {}", refused.text);
        assert!(refused.text.contains("Save settings"), "the page comes back: {}", refused.text);
    }
    assert_eq!(go(other["id"].as_str().unwrap()).await.goes_to(), garden.back("project"));
    let text = garden.text("/settings?saved=project").await;
    assert!(text.contains("<span>Other</span>") && text.contains("Saved"), "{text}");
}

#[tokio::test]
async fn a_role_of_ones_own_counts_until_it_is_taken_away() {
    let garden = Garden::new().await;
    let bob = garden.house.member("bob@example.org").await;
    let form = garden.form().await;
    let text = garden.text("/settings").await;
    let user = text.split("name=\"user\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert!(text.contains("viewer in the project") && text.contains(MAIL), "{text}");
    assert!(text.contains("owner everywhere"), "{text}");
    let give = async |cookie: &str, csrf: &str, user: &str, role: &str| {
        garden.post("members", cookie, &[("csrf", csrf), ("user", user), ("role", role)]).await
    };
    assert_eq!(give(&garden.cookie, &form.csrf, &user, "owner").await.goes_to(), garden.back("role"));
    let his = garden.house.get(&format!("/repositories/{}", garden.id), &[("cookie", &bob)]).await;
    let tab = format!("/repositories/{}/settings", garden.id);
    assert!(links(&his.text).contains(&tab), "{}", his.text);
    let page = garden.house.get(&tab, &[("cookie", &bob)]).await;
    assert!(page.text.contains("<option value=\"owner\" selected>"), "{}", page.text);
    for (who, role) in [("x", "owner"), (user.as_str(), "king")] {
        let refused = give(&garden.cookie, &form.csrf, who, role).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{who} {role}");
        assert!(refused.text.contains("invalid_arguments"), "{}", refused.text);
    }
    let nobody = "0190f0f0-0000-7000-8000-000000000001";
    assert_eq!(give(&garden.cookie, &form.csrf, nobody, "owner").await.status, StatusCode::NOT_FOUND);
    // Who gives the role away that let them in comes back to the list.
    assert_eq!(give(&bob, &page.field("csrf"), &user, "").await.goes_to(), "/repositories");
    assert!(garden.text("/settings?saved=role").await.contains("<option value=\"\" selected>"));
}

#[tokio::test]
async fn whoever_is_not_in_the_list_gets_a_role_by_mail_address() {
    let garden = Garden::new().await;
    let token = garden.house.token(&["api"]).await;
    let bob = garden.house.member("bob@example.org").await;
    let project =
        garden.house.call("POST", "/api/v1/projects", &token, json!({ "name": "Other" })).await.json();
    let change = json!({ "project_id": project["id"] });
    let path = format!("/api/v1/repositories/{}", garden.id);
    assert!(garden.house.call("PATCH", &path, &token, change).await.status.is_success());
    let (page, form) = (format!("/repositories/{}", garden.id), garden.form().await);
    let sees = async || garden.house.get(&page, &[("cookie", &bob)]).await.status;
    assert_eq!(sees().await, StatusCode::NOT_FOUND);
    assert!(!garden.text("/settings").await.contains("bob@example.org"));
    let give = async |mail: &str| {
        garden
            .post("members", &garden.cookie, &[("csrf", &form.csrf), ("mail", mail), ("role", "viewer")])
            .await
    };
    let refused = give("eve@example.org").await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    assert!(refused.text.contains("Add the person to a project"), "{}", refused.text);
    assert_eq!(give("Bob@example.org").await.goes_to(), garden.back("role"));
    assert_eq!(sees().await, StatusCode::OK);
    let text = garden.text("/settings").await;
    assert!(text.contains("bob@example.org") && text.contains("not in the project"), "{text}");
}

#[tokio::test]
async fn who_does_not_own_it_has_no_tab_no_page_and_changes_nothing() {
    let garden = Garden::new().await;
    let before = garden.text("/settings").await;
    let bob = garden.house.member("bob@example.org").await;
    let csrf = garden.house.csrf(&bob).await;
    let his = garden.house.get(&format!("/repositories/{}", garden.id), &[("cookie", &bob)]).await;
    assert!(!his.text.contains(&format!("/repositories/{}/settings", garden.id)), "{}", his.text);
    let page = garden.house.get(&format!("/repositories/{}/settings", garden.id), &[("cookie", &bob)]).await;
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    assert!(page.text.contains("role_required"), "{}", page.text);
    let token = garden.house.token(&["api"]).await;
    let me = garden.house.call("GET", "/api/v1/me", &token, Value::Null).await.json();
    let projects = garden.house.call("GET", "/api/v1/projects", &token, Value::Null).await.json();
    let fields = [
        ("csrf", csrf.as_str()),
        ("gitnest", "on"),
        ("default_branch", "main"),
        ("project", projects["items"][0]["id"].as_str().unwrap()),
        ("user", me["id"].as_str().unwrap()),
        ("role", ""),
    ];
    for rest in ["settings", "project", "members"] {
        let answer = garden.post(rest, &bob, &fields).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{rest}: {}", answer.text);
        assert!(answer.text.contains("role_required"), "{rest}");
    }
    let rules = |text: &str| {
        text.split("aria-label=\"Rules\"").nth(1).unwrap().split("<details").next().unwrap().to_owned()
    };
    assert_eq!(rules(&garden.text("/settings").await), rules(&before));
    assert!(!garden.text("").await.contains("Agents see it"));
}
