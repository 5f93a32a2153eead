//! Bodies of JSON-RPC at the connector: every one is answered, no failure is ours, and an answer stands under the id of
//! its request or under none.

use countersign_testkit::fuzz::Target;
use reqwest::Client;
use serde_json::Value;

const TARGET: Target = Target {
    name: "message",
    words: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "null",
        "true",
        "1e999",
        "-0",
        "1.5",
        "\"\\ud800\"",
        "\"\\u0000\"",
        "\"jsonrpc\":\"2.0\",",
        "\"id\":",
        "\"id\":{},",
        "\"id\":9007199254740993,",
        "\"method\":\"tools/call\",",
        "\"method\":\"ping\",",
        "\"method\":\"notifications/x\",",
        "\"params\":",
        "\"arguments\":{},",
        "\"name\":\"propose_gitnest_file_import\",",
        "\"_meta\":{\"progressToken\":1},",
        "\"cursor\":\"x\",",
        "[[[[[[[[[[[[[[[[",
        "{\"a\":{\"a\":{\"a\":{\"a\":",
    ],
    inputs: 600,
};

/// An id as JSON-RPC 2.0 §4 has it, where the body is one message with one.
fn id(body: &[u8]) -> Value {
    let message: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let id = message.get("id").cloned().unwrap_or(Value::Null);
    if id.is_string() || id.is_i64() || id.is_u64() { id } else { Value::Null }
}

/// How a call may be answered: served, taken, or refused as the caller's own mistake.
fn check(body: &[u8], status: u16, text: &str) -> Result<(), String> {
    if !matches!(status, 200 | 202 | 400 | 403 | 404 | 413) {
        return Err(format!("status {status}: {text}"));
    }
    if text.is_empty() {
        return if status == 202 { Ok(()) } else { Err(format!("status {status} without a word")) };
    }
    let answer: Value = serde_json::from_str(text).map_err(|_| format!("no JSON: {text}"))?;
    let is_one =
        answer["jsonrpc"] == "2.0" && (answer.get("result").is_some() != answer.get("error").is_some());
    if !is_one {
        return Err(format!("no answer of JSON-RPC: {text}"));
    }
    // A name that stands twice leaves it open which id is meant; then either stands there. What is no JSON, for bytes
    // that are no text, may still be told under what looks like its id.
    let (asked, answered) = (id(body), answer["id"].clone());
    let repeats = String::from_utf8_lossy(body).matches("\"id\"").count() > 1;
    let is_error = answer.get("error").is_some();
    if answered == asked || is_error && (answered.is_null() || asked.is_null()) || repeats {
        Ok(())
    } else {
        Err(format!("asked under {asked}, answered under {answered}"))
    }
}

#[test]
fn every_body_is_answered_under_its_id_and_none_is_a_failure_of_ours() {
    let (runtime, house) = crate::house();
    let http = Client::new();
    TARGET.run(|input| {
        let text = String::from_utf8_lossy(input).replace("{REPOSITORY}", &house.repository);
        let body = if std::str::from_utf8(input).is_ok() { text.into_bytes() } else { input.to_vec() };
        let request = http
            .post(&house.agent.url)
            .bearer_auth(&house.agent.access)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .header("mcp-protocol-version", "2025-11-25")
            .body(body.clone());
        let (status, answer) = runtime.block_on(async {
            let answer = request.send().await.map_err(|error| format!("no answer: {error}"))?;
            let status = answer.status().as_u16();
            Ok::<_, String>((
                status,
                answer.text().await.map_err(|error| format!("half an answer: {error}"))?,
            ))
        })?;
        check(&body, status, &answer)
    });
}
