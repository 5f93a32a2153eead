//! Connected: naming an assistant, its projects, its end; over forms, as without a script.

use countersign_core::host::{Host, Recipe, ServerName};
use http::StatusCode;

use crate::house::House;

#[tokio::test]
async fn a_connection_is_named_given_a_project_and_revoked() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let csrf = house.csrf(&cookie).await;
    let made = house
        .post("/connected", &cookie, &[("csrf", &csrf), ("kind", "codex"), ("name", "My \"Codex\" & co")])
        .await;
    let page = made.goes_to().to_owned();
    let look = async || house.get(&page, &[("cookie", &cookie)]).await.text;
    let text = look().await;
    assert!(text.contains("It waits for its assistant") && text.contains("It sees nothing yet"), "{text}");
    assert!(text.contains("My &quot;Codex&quot; &amp; co"), "a name is data");
    let project = text.split("<option value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let add = [("csrf", csrf.as_str()), ("project", project.as_str())];
    assert_eq!(house.post(&format!("{page}/projects"), &cookie, &add).await.goes_to(), page);
    assert!(look().await.contains("General"));
    let remove = format!("{page}/projects/{project}/remove");
    assert_eq!(house.post(&remove, &cookie, &[("csrf", &csrf)]).await.goes_to(), page);
    assert!(look().await.contains("It sees nothing yet"));
    assert_eq!(house.post(&format!("{page}/revoke"), &cookie, &[("csrf", &csrf)]).await.goes_to(), page);
    let text = look().await;
    assert!(text.contains("Revoked") && !text.contains("Revoke this connection"), "{text}");
    let late = house.post(&format!("{page}/projects"), &cookie, &add).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn tools_are_switched_one_by_one_and_all_on_again() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let csrf = house.csrf(&cookie).await;
    let made = house.post("/connected", &cookie, &[("csrf", &csrf), ("kind", "gemini"), ("name", "G")]).await;
    let page = made.goes_to().to_owned();
    let look = async || house.get(&page, &[("cookie", &cookie)]).await.text;
    let text = look().await;
    assert!(text.contains("Do what list_granted says.") && text.contains("countersign:write"), "{text}");
    assert!(text.contains("2 of 2 on") && text.contains("The list costs a model 200 tokens"), "{text}");
    assert!(!text.contains("All on"), "{text}");
    assert!(
        text.contains("gemini mcp add") && !text.contains("codex mcp add"),
        "its own host's command alone"
    );
    let tools = format!("{page}/tools");
    let off = [("csrf", csrf.as_str()), ("tool", "list_granted"), ("to", "off")];
    assert_eq!(house.post(&tools, &cookie, &off).await.goes_to(), format!("{page}#tools"));
    let text = look().await;
    assert!(text.contains("1 of 2 on") && text.contains("The list costs a model 100 tokens"), "{text}");
    assert!(text.contains("aria-checked=\"false\" aria-label=\"list_granted\""), "{text}");
    assert_eq!(
        house.post(&format!("{tools}/all-on"), &cookie, &[("csrf", &csrf)]).await.goes_to(),
        format!("{page}#tools")
    );
    assert!(look().await.contains("2 of 2 on"));
    for wrong in [[("tool", "no_such"), ("to", "off")], [("tool", "list_granted"), ("to", "maybe")]] {
        let fields = [("csrf", csrf.as_str()), wrong[0], wrong[1]];
        assert_eq!(house.post(&tools, &cookie, &fields).await.status, StatusCode::BAD_REQUEST, "{wrong:?}");
    }
}

#[tokio::test]
async fn who_did_not_make_a_connection_sees_its_switches_and_turns_none() {
    let house = House::new().await;
    let bob = house.member("bob@example.org").await;
    let csrf = house.csrf(&bob).await;
    let made = house.post("/connected", &bob, &[("csrf", &csrf), ("kind", "other"), ("name", "G")]).await;
    let page = made.goes_to().to_owned();
    assert!(house.get(&page, &[("cookie", &bob)]).await.text.contains("role=\"switch\""));
    let other = house.sign_in().await;
    let text = house.get(&page, &[("cookie", &other)]).await.text;
    assert!(text.contains("2 of 2 on") && text.contains(">On</span>"), "{text}");
    assert!(!text.contains("role=\"switch\"") && !text.contains("/tools"), "{text}");
    let csrf = house.csrf(&other).await;
    for (path, fields) in [
        ("tools", vec![("csrf", csrf.as_str()), ("tool", "list_granted"), ("to", "off")]),
        ("tools/all-on", vec![("csrf", csrf.as_str())]),
    ] {
        let answer = house.post(&format!("{page}/{path}"), &other, &fields).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
    }
}

#[tokio::test]
async fn the_page_shows_every_host_what_the_command_line_prints() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    let text = house.get("/connected", &[("cookie", &cookie)]).await.text;
    let shown = text.replace("&quot;", "\"");
    for host in Host::ALL {
        let recipe = Recipe::new(host, &ServerName::default(), "http://localhost:8420/api/v1/external-mcp");
        for part in recipe.commands.iter().chain([&recipe.setting, &recipe.sign_in]) {
            assert!(shown.contains(part.as_str()), "{host:?}: {part}");
        }
        assert!(shown.contains(&format!("data-copy=\"{}", host.as_str())), "{host:?} has no Copy");
    }
}

#[tokio::test]
async fn what_is_no_id_and_what_is_not_there_are_both_404() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    for path in ["/connected/x", "/connected/0190f0f0-0000-7000-8000-000000000001"] {
        let answer = house.get(path, &[("cookie", &cookie)]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(answer.text.contains("not_found"), "{path}");
    }
}
