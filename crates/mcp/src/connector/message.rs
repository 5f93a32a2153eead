//! Reads of a POST body what decides how it is answered, before the SDK reads all of it.
//!
//! The SDK answers 415 in plain text to whatever is no JSON-RPC message (rmcp 3.11.0); JSON-RPC 2.0 §5.1
//! has codes for these.

use rmcp::model::ErrorCode;
use serde::Deserialize;
use serde_json::Value;

use super::names::Names;
use super::word::Word;

/// What a body is.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// A request, to be answered under its id.
    Request {
        /// A string or an integer.
        id: Value,
        /// Whether it calls a tool.
        call: bool,
    },
    /// A notification, or anything else without an id: nothing to answer.
    Notification,
}

/// Why a body is no message.
#[derive(Debug, PartialEq)]
pub(super) struct Malformed {
    /// The code of JSON-RPC.
    pub(super) code: ErrorCode,
    /// One sentence.
    pub(super) message: &'static str,
    /// The id, where one can be told.
    pub(super) id: Value,
}

/// What reading a body gives.
pub(super) type Read = Result<Message, Malformed>;

#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    jsonrpc: Word,
    #[serde(default)]
    id: Word,
    #[serde(default)]
    method: Word,
    #[serde(default)]
    params: Names,
}

/// Reads a body.
pub(super) fn read(body: &[u8]) -> Read {
    let malformed = |code, message, id| Err(Malformed { code, message, id });
    let invalid = |message, id| malformed(ErrorCode::INVALID_REQUEST, message, id);
    let envelope: Envelope = match serde_json::from_slice(body) {
        Ok(envelope) if !starts_as_array(body) => envelope,
        Err(error) if !error.is_data() => {
            return malformed(ErrorCode::PARSE_ERROR, "The body is not JSON.", Value::Null);
        }
        Ok(_) | Err(_) if starts_as_array(body) => {
            return invalid("A batch is not served; send one message a request.", Value::Null);
        }
        Ok(_) | Err(_) => return invalid("The body is not a JSON-RPC 2.0 message.", Value::Null),
    };
    let method = envelope.method.text();
    let notifies = method.is_some_and(|method| method.starts_with("notifications/"));
    let id = match envelope.id {
        Word::Absent => return Ok(Message::Notification),
        Word::Text(_) | Word::Integer(_) | Word::Other if notifies => return Ok(Message::Notification),
        Word::Text(id) => Value::from(id),
        Word::Integer(id) => Value::from(id),
        Word::Other => return invalid("`id` must be a string or an integer.", Value::Null),
    };
    if envelope.jsonrpc.text() != Some("2.0") {
        return invalid("`jsonrpc` must be \"2.0\".", id);
    }
    if envelope.params == Names::Repeated {
        return invalid("A name stands twice in one object of `params`; send each once.", id);
    }
    match method {
        Some(method) => Ok(Message::Request { id, call: method == "tools/call" }),
        None => invalid("`method` must be a string.", id),
    }
}

fn starts_as_array(body: &[u8]) -> bool {
    body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn code(body: &str) -> i32 {
        read(body.as_bytes()).expect_err(body).code.0
    }

    #[test]
    fn what_is_not_json_is_a_parse_error() {
        for body in ["", "{", "not json", "{\"a\":1}}", "[", "[1,]", "\u{feff}{}"] {
            assert_eq!(code(body), -32700, "{body}");
        }
    }

    #[test]
    fn what_is_no_single_message_is_an_invalid_request() {
        for body in [
            "[]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}, "ping"]"#,
            r#"[["2.0"],1,"ping"]"#,
            "1",
            "null",
            r#""ping""#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":{"a":[1]},"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":[0,[0]],"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":["tools/call"]}"#,
            r#"{"jsonrpc":["2.0"],"id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}"#,
        ] {
            assert_eq!(code(body), -32600, "{body}");
        }
    }

    #[test]
    fn a_name_that_stands_twice_is_refused_under_the_id_wherever_it_stands() {
        let call =
            |params: &str| format!(r#"{{"params":{params},"jsonrpc":"2.0","id":7,"method":"tools/call"}}"#);
        for params in [
            r#"{"name":"x","name":"y"}"#,
            r#"{"arguments":{"a":1,"a":1}}"#,
            r#"{"arguments":{"a":1,"\u0061":2}}"#,
            r#"{"arguments":{"files":[{"path":"a"},{"path":"b","path":"c"}]}}"#,
            r#"{"_meta":{"b":{"c":null,"d":true,"c":1.5}}}"#,
        ] {
            let refused = read(call(params).as_bytes()).expect_err(params);
            assert_eq!((refused.code.0, refused.id), (-32600, json!(7)), "{params}");
        }
        let twice = r#"{"name":"x","arguments":{"name":[{"name":"\"name\""},{"name":-1}]}}"#;
        assert!(read(call(twice).as_bytes()).is_ok(), "one name in several objects");
    }

    #[test]
    fn what_has_no_id_or_notifies_is_not_answered() {
        for body in [
            "{}",
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled"}"#,
        ] {
            assert_eq!(read(body.as_bytes()), Ok(Message::Notification), "{body}");
        }
    }

    #[test]
    fn a_call_is_told_by_its_method_alone() {
        let read = |body: &str| read(body.as_bytes()).unwrap();
        assert_eq!(
            read(r#"{"jsonrpc":"2.0","id":"a","method":"tools/call"}"#),
            Message::Request { id: json!("a"), call: true }
        );
        assert_eq!(
            read(r#"{"params":{"method":"tools/call"},"jsonrpc":"2.0","id":-7,"method":"tools/list"}"#),
            Message::Request { id: json!(-7), call: false }
        );
    }
}
