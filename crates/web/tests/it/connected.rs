//! Connected: naming an assistant, its projects, its end; over forms, as without a script.

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
async fn what_is_no_id_and_what_is_not_there_are_both_404() {
    let house = House::new().await;
    let cookie = house.sign_in().await;
    for path in ["/connected/x", "/connected/0190f0f0-0000-7000-8000-000000000001"] {
        let answer = house.get(path, &[("cookie", &cookie)]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(answer.text.contains("not_found"), "{path}");
    }
}
