//! What a repository holds, over the API.

use http::StatusCode;
use serde_json::{Value, json};

use super::Garden;

async fn get(garden: &Garden, token: &str, rest: &str) -> Value {
    let path = format!("/api/v1/repositories/{}/{rest}", garden.id);
    let answer = garden.house.call("GET", &path, token, Value::Null).await;
    assert_eq!(answer.status, StatusCode::OK, "{rest}: {}", answer.text);
    answer.json()
}

async fn refused(garden: &Garden, token: &str, rest: &str) -> (u16, String) {
    let path = format!("/api/v1/repositories/{}/{rest}", garden.id);
    let answer = garden.house.call("GET", &path, token, Value::Null).await;
    (answer.status.as_u16(), answer.json()["code"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_folder_is_read_in_pages_of_one_commit() {
    let garden = Garden::new().await;
    let token = garden.house.token(&["api"]).await;
    let (mut seen, mut rest) = (Vec::new(), "tree?limit=3".to_owned());
    let whole = get(&garden, &token, "tree").await;
    loop {
        let page = get(&garden, &token, &rest).await;
        assert_eq!(page["commit"], whole["commit"]);
        seen.extend(page["items"].as_array().unwrap().clone());
        let Some(next) = page["next"].as_str() else { break };
        rest = format!("tree?limit=3&after={next}");
    }
    let without_last = |items: &[Value]| -> Vec<Value> {
        items.iter().map(|item| json!([item["path"], item["kind"], item["size"]])).collect()
    };
    assert_eq!(without_last(&seen), without_last(whole["items"].as_array().unwrap()));
    assert_eq!(whole["total"], json!(seen.len()));
    let kinds = seen.iter().map(|item| (item["path"].as_str().unwrap(), item["kind"].as_str().unwrap()));
    let kinds: std::collections::BTreeMap<_, _> = kinds.collect();
    assert_eq!(
        (kinds["src"], kinds["link"], kinds["module"], kinds["README.md"]),
        ("folder", "symlink", "submodule", "file")
    );
}

#[tokio::test]
async fn a_file_is_told_as_what_it_is() {
    let garden = Garden::new().await;
    let token = garden.house.token(&["api"]).await;
    let file = get(&garden, &token, "file?path=src/main.rs").await;
    assert_eq!(
        (&file["kind"], &file["lines"]["total"], &file["lines"]["from"]),
        (&json!("text"), &json!(3), &json!(1))
    );
    let second = get(&garden, &token, "file?path=src/main.rs&from=2").await;
    assert_eq!(second["lines"]["text"], "    let needle = \"<i>\";\n}\n");
    for (path, kind) in
        [("binary.bin", "binary"), ("img/dot.png", "image"), ("link", "symlink"), ("module", "submodule")]
    {
        assert_eq!(get(&garden, &token, &format!("file?path={path}")).await["kind"], kind, "{path}");
    }
    assert_eq!(
        get(&garden, &token, "file?ref=feature/x&path=only-here.txt").await["lines"]["text"],
        "here\n"
    );
    assert_eq!(refused(&garden, &token, "file?path=only-here.txt").await, (404, "path_not_found".to_owned()));
    assert_eq!(refused(&garden, &token, "file?path=src").await, (404, "path_not_found".to_owned()));
    assert_eq!(refused(&garden, &token, "tree?path=README.md").await, (404, "path_not_found".to_owned()));
    assert_eq!(refused(&garden, &token, "tree?ref=nowhere").await, (404, "branch_not_found".to_owned()));
    assert_eq!(
        refused(&garden, &token, "file?path=README.md&from=0").await,
        (400, "invalid_arguments".to_owned())
    );
}

#[tokio::test]
async fn a_name_that_is_no_text_leads_back_to_its_file() {
    let garden = Garden::new().await;
    let token = garden.house.token(&["api"]).await;
    let folder = get(&garden, &token, "tree?path=odd").await;
    let items = folder["items"].as_array().unwrap();
    let odd: Vec<&str> = items.iter().filter_map(|item| item["path_encoded"].as_str()).collect();
    assert_eq!(odd, ["odd/%FF%FE.txt"]);
    let raw = format!("/api/v1/repositories/{}/raw?path={}", garden.id, odd[0]);
    let answer = garden.house.call("GET", &raw, &token, Value::Null).await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::OK, "odd three\n"));
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    assert!(answer.header("content-disposition").starts_with("attachment"), "{:?}", answer.headers);
}

#[tokio::test]
async fn the_past_is_told_commit_by_commit_and_line_by_line() {
    let garden = Garden::new().await;
    let token = garden.house.token(&["api"]).await;
    let whole = get(&garden, &token, "history").await;
    let oids = |page: &Value| -> Vec<Value> {
        page["items"].as_array().unwrap().iter().map(|item| item["oid"].clone()).collect()
    };
    let (mut seen, mut rest) = (Vec::new(), "history?limit=1".to_owned());
    loop {
        let page = get(&garden, &token, &rest).await;
        assert!(oids(&page).len() <= 1);
        seen.extend(oids(&page));
        let Some(next) = page["next"].as_str() else { break };
        rest = format!("history?limit=1&after={next}");
    }
    assert_eq!(seen, oids(&whole));
    assert!(seen.len() > 1);
    let blame = get(&garden, &token, "blame?path=src/main.rs").await;
    let runs = blame["runs"].as_array().unwrap();
    let lines: u64 = runs.iter().map(|run| run["lines"].as_u64().unwrap()).sum();
    assert_eq!((&blame["outcome"], lines, runs.len()), (&json!("done"), 3, 3));
    let commit = get(&garden, &token, &format!("commits/{}", seen[0].as_str().unwrap())).await;
    assert!(!commit["changes"].as_array().unwrap().is_empty(), "{commit}");
}

#[tokio::test]
async fn branches_and_tags_are_listed_by_name_and_lines_are_found() {
    let garden = Garden::new().await;
    let token = garden.house.token(&["api"]).await;
    let first = get(&garden, &token, "branches?limit=1").await;
    assert_eq!(first["items"][0]["name"], "feature/x");
    let second =
        get(&garden, &token, &format!("branches?limit=1&after={}", first["next"].as_str().unwrap())).await;
    assert_eq!(second["items"][0]["name"], "main");
    assert_eq!(get(&garden, &token, "branches?name=FEAT").await["items"].as_array().unwrap().len(), 1);
    get(&garden, &token, "tags").await;
    let found = get(&garden, &token, "search?q=NEEDLE").await;
    let hit = &found["files"][0];
    assert_eq!((&hit["path"], &hit["hits"][0]["line"]), (&json!("src/main.rs"), &json!(2)));
    for wrong in ["search", "search?q=", "search?q=a%0Ab"] {
        assert_eq!(refused(&garden, &token, wrong).await, (400, "invalid_arguments".to_owned()), "{wrong}");
    }
}
