//! The straight way: a call that keeps every rule of its era is answered without the SDK.
//!
//! The SDK makes a service, a task and two channels for each request, which is a third of what a call costs
//! (docs/decisions/04-mcp.md). Whatever is not regular in every detail goes to the SDK, which knows all rules and has
//! the words of their refusals. A test holds both ways against each other, byte by byte.

use std::fmt;

use axum::body::{Body, Bytes};
use axum::response::Response;
use countersign_core::caller::Caller;
use http::header::{CONTENT_TYPE, HeaderMap};
use http::{HeaderName, HeaderValue};
use rmcp::model::{CallToolResult, ErrorData, JsonObject, ProtocolVersion, RequestMetaObject};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::handler::{Era, Shared};
use super::mark;

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
/// A member of `_meta` with which a request speaks of its own version (MCP 2026-07-28).
const VERSION_IN_META: &str = "io.modelcontextprotocol/protocolVersion";

/// A call with nothing irregular in it.
#[derive(Debug)]
pub(super) struct Call {
    id: Value,
    name: String,
    arguments: JsonObject,
    era: Era,
}

#[derive(Deserialize)]
struct Message {
    #[serde(deserialize_with = "by_name")]
    params: Params,
}

/// Reads params that are named: serde would take their values in a list too (JSON-RPC 2.0 §4.2), MCP knows none.
fn by_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Params, D::Error> {
    struct Named;
    impl<'de> Visitor<'de> for Named {
        type Value = Params;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Params, A::Error> {
            Params::deserialize(MapAccessDeserializer::new(map))
        }
    }
    deserializer.deserialize_map(Named)
}

/// What every client sends; a member beside these is for the SDK to judge.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    name: String,
    #[serde(default)]
    arguments: JsonObject,
    #[serde(default, rename = "_meta")]
    meta: RequestMetaObject,
}

impl Call {
    /// Reads a `tools/call` whose envelope was found good.
    pub(super) fn read(headers: &HeaderMap, id: &Value, body: &[u8]) -> Option<Self> {
        let Message { params } = serde_json::from_slice(body).ok()?;
        let era = era(headers, &params)?;
        Some(Self { id: id.clone(), name: params.name, arguments: params.arguments, era })
    }

    /// The name of the tool.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Calls the tool.
    pub(super) async fn answer(self, shared: &Shared, caller: &Caller) -> Response {
        let done = shared.call(caller, &self.name, self.arguments.into()).await;
        let (said, verdict) = shared.outcome(done, caller, self.era);
        let body = match said {
            Ok(mut result) => {
                result.result_type = result.result_type.filter(|_| self.era == Era::Modern);
                Answer { jsonrpc: "2.0", id: self.id, said: Said::Result(Box::new(result)) }
            }
            Err(error) => Answer { jsonrpc: "2.0", id: self.id, said: Said::Error(error) },
        };
        let bytes = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = Response::new(Body::from(Bytes::from(bytes)));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(verdict) = verdict {
            mark(&mut response, verdict);
        }
        response
    }
}

#[derive(Serialize)]
struct Answer {
    jsonrpc: &'static str,
    id: Value,
    #[serde(flatten)]
    said: Said,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Said {
    Result(Box<CallToolResult>),
    Error(ErrorData),
}

/// The era of a call that keeps all rules of it.
fn era(headers: &HeaderMap, params: &Params) -> Option<Era> {
    let speaks_of_version = params.meta.contains_key(VERSION_IN_META);
    let version = match Only::of(headers, &VERSION) {
        Only::Absent => return (!speaks_of_version).then_some(Era::Legacy),
        Only::Text(version) => version,
        Only::Unclear => return None,
    };
    let modern = ProtocolVersion::V_2026_07_28;
    if version == modern.as_str() {
        let agrees = params.meta.protocol_version().is_some_and(|said| said == modern)
            && params.meta.missing_required_keys(&modern).is_empty()
            && Only::of(headers, &METHOD) == Only::Text("tools/call")
            && Only::of(headers, &NAME) == Only::Text(&params.name);
        return agrees.then_some(Era::Modern);
    }
    let is_known = ProtocolVersion::KNOWN_VERSIONS.iter().any(|known| known.as_str() == version);
    (is_known && version < modern.as_str() && !speaks_of_version).then_some(Era::Legacy)
}

/// A header that may stand once.
#[derive(Debug, PartialEq, Eq)]
enum Only<'h> {
    /// It is not there.
    Absent,
    /// It stands once, in plain text.
    Text(&'h str),
    /// It stands twice, or is no text.
    Unclear,
}

impl<'h> Only<'h> {
    fn of(headers: &'h HeaderMap, name: &HeaderName) -> Self {
        let mut values = headers.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Self::Absent,
            (Some(value), None) => value.to_str().map_or(Self::Unclear, Self::Text),
            (Some(_), Some(_)) => Self::Unclear,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const MODERN: [(&str, &str); 3] =
        [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "x")];

    fn meta() -> Value {
        json!({ VERSION_IN_META: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} })
    }

    fn era(headers: &[(&'static str, &'static str)], params: &Value) -> Option<Era> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        Call::read(&map, &json!(1), body.to_string().as_bytes()).map(|call| call.era)
    }

    #[test]
    fn a_call_that_keeps_the_rules_of_its_era_goes_straight() {
        for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
            let call = json!({ "name": "x", "arguments": {} });
            assert_eq!(era(&[("mcp-protocol-version", version)], &call), Some(Era::Legacy), "{version}");
        }
        assert_eq!(era(&[], &json!({ "name": "x" })), Some(Era::Legacy));
        assert_eq!(era(&MODERN, &json!({ "name": "x", "_meta": meta() })), Some(Era::Modern));
    }

    #[test]
    fn whatever_is_irregular_goes_to_the_sdk() {
        let (plain, full) = (json!({ "name": "x" }), json!({ "name": "x", "_meta": meta() }));
        for params in [
            json!({}),
            json!([]),
            json!(["x"]),
            json!(["x", {}, {}]),
            json!({ "name": 7 }),
            json!({ "name": "x", "arguments": [] }),
            json!({ "name": "x", "arguments": null }),
            json!({ "name": "x", "_meta": null }),
            json!({ "name": "x", "task": {} }),
            full.clone(),
        ] {
            assert_eq!(era(&[], &params), None, "{params}");
        }
        let version = ("mcp-protocol-version", "2025-11-25");
        for headers in [&[("mcp-protocol-version", "1999-01-01")][..], &[version, version], &MODERN] {
            assert_eq!(era(headers, &plain), None, "{headers:?}");
        }
        for (lacking, header) in MODERN.into_iter().enumerate() {
            let mut headers = MODERN.to_vec();
            let (name, _) = headers.remove(lacking);
            assert_eq!(era(&headers, &full), None, "without {name}");
            headers.push((name, "another"));
            assert_eq!(era(&headers, &full), None, "another {name}");
            let twice = [&MODERN[..], &[header]].concat();
            assert_eq!(era(&twice, &full), None, "{name} twice");
        }
        let old = json!({ "name": "x", "_meta": { VERSION_IN_META: "2025-11-25" } });
        assert_eq!(era(&[version], &old), None, "an old version that is spoken in the new way");
        assert_eq!(era(&MODERN, &json!({ "name": "x", "_meta": { VERSION_IN_META: "2026-07-28" } })), None);
    }
}
