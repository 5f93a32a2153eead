//! The OpenAPI 3.1 document of the REST API, made of the list of its routes, the types of their handlers and the wire
//! types (`docs/decisions/11-openapi.md`).

pub(crate) mod draft;
mod handler;
mod part;
mod refusal;
mod schemas;

use std::sync::LazyLock;

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use countersign_core::api::Refusal;
use countersign_core::limit;
use countersign_core::route::Who;
use serde_json::{Map, Value, json};

use crate::api::condition::{IfNoneMatch, Tag, fresh};
pub(crate) use draft::Operation;
pub(crate) use handler::describe;
pub(crate) use schemas::Schemas;

/// The document as it is served: it is the same for everybody, and as long as the server runs.
static SERVED: LazyLock<(Bytes, Tag)> = LazyLock::new(|| {
    let bytes = Bytes::from(document().to_string());
    let tag = Tag::of(&bytes);
    (bytes, tag)
});

/// The document, for whoever knows the one that it had.
pub(crate) async fn show(known: IfNoneMatch) -> Document {
    let (bytes, tag) = &*SERVED;
    Document(fresh(bytes.clone(), tag, &known))
}

/// The answer that is the document.
pub(crate) struct Document(pub(crate) Response);

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        self.0
    }
}

/// The whole document.
pub(crate) fn document() -> Value {
    let mut schemas = Schemas::new();
    let operations = crate::route::operations(&mut schemas);
    let mut paths = Map::new();
    let mut nouns: Vec<&str> = Vec::new();
    for operation in &operations {
        if !nouns.contains(&operation.noun) {
            nouns.push(operation.noun);
        }
        let path = paths.entry(operation.route.path).or_insert_with(|| json!({}));
        path[operation.route.method.to_ascii_lowercase()] = operation.value.clone();
    }
    // Every refusal names it.
    schemas.given::<Refusal>();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Countersign",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Agents propose, a person countersigns, the commit lands once.",
            "description": description(),
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "tags": nouns.iter().map(|noun| json!({ "name": noun })).collect::<Vec<_>>(),
        "paths": paths,
        "components": {
            "schemas": schemas.into_components(),
            "securitySchemes": { "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "A personal access token; `countersign token create` and the page Tokens make them. \
                    An operation names the scope that it takes; no scope implies another.",
            } },
        },
    })
}

fn description() -> String {
    format!(
        "Limits of every call: a body of {} KiB (but for Git's own addresses, which are not part of this document), \
         and by default 2,000 calls in 60 seconds for each token, or address without one; `X-RateLimit-Limit`, \
         `-Remaining` and `-Reset` tell how many are left. \
         \n\nA list comes in pages of at most {} items: pass `next` as `after` for the items behind it, or follow the \
         `Link` with `rel=\"next\"` (RFC 8288). Items that come and go meanwhile move no other one to another page. \
         \n\nWhat several people change has an `ETag`: send it in `If-None-Match` to be told `304` when nothing changed, \
         and in `If-Match` with a change, so that nobody's change is overwritten unseen (RFC 9110 §13). \
         \n\nA refusal is a problem document (RFC 9457). Requests refuse fields that are not described; answers may gain \
         fields.",
        crate::route::BODY / 1024,
        limit::PAGE,
    )
}

/// The security of an operation: the scope that the token takes (OpenAPI 3.1 §4.8.30), or none.
fn security(who: Who) -> Value {
    match who {
        Who::Token => json!([{ "token": ["api"] }]),
        Who::DecidingToken => json!([{ "token": ["proposals:decide"] }]),
        Who::Anyone
        | Who::Password
        | Who::Visitor
        | Who::Session
        | Who::GitToken
        | Who::GitWriteToken
        | Who::Agent
        | Who::Client => json!([]),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn operations() -> Vec<Operation> {
        crate::route::operations(&mut Schemas::new())
    }

    #[test]
    fn every_operation_has_an_id_of_its_own_a_summary_and_a_success() {
        let mut ids = BTreeSet::new();
        for Operation { route, value, .. } in operations() {
            let id = value["operationId"].as_str().unwrap().to_owned();
            assert!(ids.insert(id.clone()), "{id} twice");
            let summary = value["summary"].as_str().unwrap();
            assert!(summary.len() > 10 && !summary.ends_with('.'), "{route:?}: {summary:?}");
            let successes = value["responses"].as_object().unwrap().keys().filter(|key| key.starts_with('2'));
            assert!(successes.count() >= 1, "{route:?}");
        }
    }

    #[test]
    fn every_parameter_of_a_path_is_described() {
        for Operation { route, value, .. } in operations() {
            let named: Vec<&str> =
                route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
            let told = value["parameters"].as_array().cloned().unwrap_or_default();
            let told: Vec<String> = told
                .iter()
                .filter(|one| one["in"] == "path")
                .map(|one| one["name"].as_str().unwrap().to_owned())
                .collect();
            assert_eq!(told, named, "{route:?}");
        }
    }

    #[test]
    fn no_type_has_one_shape_when_taken_and_another_when_given() {
        let mut schemas = Schemas::new();
        let _ = crate::route::operations(&mut schemas);
        assert_eq!(schemas.clashes(), Vec::<String>::new());
    }

    #[test]
    fn the_operations_are_as_they_were_reviewed() {
        let line = |operation: &Operation| {
            let statuses = operation.value["responses"].as_object().unwrap().keys().cloned();
            let statuses: Vec<String> = statuses.collect();
            let id = operation.value["operationId"].as_str().unwrap();
            format!("{:7}{:60}{:28}{}", operation.route.method, operation.route.path, id, statuses.join(" "))
        };
        insta::assert_snapshot!(operations().iter().map(line).collect::<Vec<_>>().join("\n"));
    }
}
