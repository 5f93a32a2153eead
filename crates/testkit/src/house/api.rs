//! The REST API, as a house calls it.

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

/// Makes a repository in a project, with GitNest on; its id.
pub(super) async fn make_repository(api: &Api<'_>, name: &str, project: &str) -> String {
    let new = json!({ "name": name, "project_id": project });
    let made = api.ok(Method::POST, "/api/v1/repositories", Some(new)).await;
    let id = made["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/v1/repositories/{id}");
    api.ok(Method::PATCH, &path, Some(json!({ "gitnest": true }))).await;
    id
}

/// A list, or a page of one.
pub(super) fn first(list: &Value) -> &Value {
    list.get(0).or_else(|| list["items"].get(0)).unwrap_or_else(|| panic!("an empty list: {list}"))
}

/// The REST API of a server, as the holder of a token sees it.
pub(super) struct Api<'a> {
    pub(super) http: &'a Client,
    pub(super) base: &'a str,
    pub(super) token: &'a str,
}

impl Api<'_> {
    /// One call that has to succeed.
    pub(super) async fn ok(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        let (status, answer) = self.call(method, path, body).await;
        assert!(status.is_success(), "{path}: {status} {answer}");
        answer
    }

    /// One call; the answer whatever its status.
    pub(super) async fn call(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let mut request = self.http.request(method, format!("{}{path}", self.base)).bearer_auth(self.token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.expect("the server answers");
        let status = answer.status();
        (status, answer.json().await.unwrap_or(Value::Null))
    }
}
