//! What the served OpenAPI document says of an answer: no route of the REST API gives one that it does not tell.

use countersign_core::route::Route;
use serde_json::Value;

use crate::seen::Seen;

/// The document.
pub(crate) struct Told(Value);

impl Told {
    /// As the server at `base` serves it.
    pub(crate) async fn at(base: &str) -> Self {
        let answer = reqwest::get(format!("{base}/api/v1/openapi.json")).await.expect("the server answers");
        Self(answer.json().await.expect("a document in JSON"))
    }

    /// What is wrong with an answer; nothing of a route that is no part of the document.
    pub(crate) fn breach(&self, route: &Route, seen: &Seen) -> Option<String> {
        let methods = self.0["paths"].get(route.path)?;
        let answers = &methods[route.method.to_ascii_lowercase()]["responses"];
        let answer = answers.get(seen.status.to_string());
        let refusal =
            answer.map(|answer| &answer["content"]["application/problem+json"]["schema"]["allOf"][1]);
        let codes = refusal.map(|schema| &schema["properties"]["code"]["enum"]);
        let is_told = match codes.and_then(Value::as_array) {
            Some(codes) => codes.iter().any(|code| *code == *seen.word),
            None => answer.is_some() && seen.status < 400,
        };
        (!is_told).then(|| format!("{} {}: the document does not tell {seen:?}", route.method, route.path))
    }
}
