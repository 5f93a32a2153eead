//! The refusals of an operation, a problem document each (RFC 9457).

use countersign_core::problem::Code;
use serde_json::{Map, Value, json};

/// The answers, by status, of an operation that may refuse with these codes.
pub(super) fn answers(codes: &[Code], rates: &Value) -> Vec<(u16, Value)> {
    let mut codes: Vec<Code> = Code::ALL.iter().copied().filter(|code| codes.contains(code)).collect();
    codes.sort_by_key(|code| code.status());
    let by_status = codes.chunk_by(|a, b| a.status() == b.status());
    by_status.map(|codes| (codes[0].status(), answer(codes[0].status(), codes, rates))).collect()
}

fn answer(status: u16, codes: &[Code], rates: &Value) -> Value {
    let words: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
    let about: Vec<String> =
        codes.iter().map(|code| format!("`{}`: {}", code.as_str(), code.next_action_of_people())).collect();
    let mut headers: Map<String, Value> = rates.as_object().cloned().unwrap_or_default();
    let mut header = |name: &str, about: &str, kind: &str| {
        let value = json!({ "description": about, "required": true, "schema": { "type": kind } });
        headers.insert(name.to_owned(), value);
    };
    match status {
        401 => header("WWW-Authenticate", "The way in (RFC 9110 §11.6.1).", "string"),
        429 | 503 => header("Retry-After", "After how many seconds to ask again.", "integer"),
        _ => {}
    }
    json!({
        "description": about.join("\n\n"),
        "headers": headers,
        "content": { "application/problem+json": { "schema": {
            "allOf": [
                { "$ref": "#/components/schemas/Refusal" },
                { "properties": { "status": { "const": status }, "code": { "enum": words } } },
            ],
        } } },
    })
}
