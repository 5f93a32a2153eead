//! The connector on the wire: what each kind of request is answered with, in both eras, by a real server.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod straight;
mod toolbox;
mod wire;

use countersign_testkit::data::{Data, Engine};
use countersign_testkit::house::House;
use countersign_testkit::server::{Options, TestServer};
use reqwest::Method;
use serde_json::{Value, json};

use crate::wire::{Back, Wire};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;

async fn anonymous_server() -> (Data, TestServer) {
    let data = Data::new(Engine::Sqlite).await;
    let server = TestServer::start(&data, &Options::default()).await;
    (data, server)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_message_is_told_apart() {
    let (_data, server) = anonymous_server().await;
    let wire = Wire::to(&server.url);
    assert_eq!(wire.post("{\"jsonrpc\":").await.error(), (400, -32700));
    assert_eq!(wire.post(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#).await.error(), (400, -32600));
    assert_eq!(wire.post(r#"{"jsonrpc":"2.0","id":1}"#).await.error(), (400, -32600));
    let twice =
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":{"a":1,"a":2}}}"#;
    let refused = wire.post(twice).await;
    assert_eq!((refused.error(), &refused.json()["id"]), ((400, -32600), &json!(7)));
    let huge = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(13 << 20));
    let too_large = wire.post(&huge).await;
    assert_eq!((too_large.status.as_u16(), &too_large.json()["code"]), (413, &json!("body_too_large")));
    let large =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(11 << 20));
    assert_eq!(wire.post(&large).await.json()["code"], "body_too_large", "11 MiB of nobody are not");
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let back = wire.send(method.clone(), wire.headers.clone(), String::new()).await;
        assert_eq!((back.status.as_u16(), back.header("allow")), (405, "POST"), "{method}");
        assert_eq!(back.header("content-type"), "application/problem+json");
        assert_eq!(back.json()["code"], "method_not_allowed");
    }
    let form = Wire::to(&server.url).with("content-type", "text/plain");
    assert_eq!(
        form.post(INITIALIZE).await.status,
        415,
        "a page of another site could send this without asking"
    );
}

/// A request of a method, under an id that stands behind `params` as some clients write it, of some length.
fn padded(method: &str, length: usize) -> String {
    let start = format!(r#"{{"method":"{method}","params":{{"name":"list_granted_resources","x":""#);
    let end = r#""},"jsonrpc":"2.0","id":"mine"}"#;
    format!("{start}{}{end}", "x".repeat(length - start.len() - end.len()))
}

#[tokio::test(flavor = "multi_thread")]
async fn of_nobody_little_is_kept() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let nobody = Wire::to(&house.server.url);
    assert_eq!(nobody.post(&padded("ping", 64 << 10)).await.status, 200);
    let over = nobody.post(&padded("ping", (64 << 10) + 1)).await;
    assert_eq!((over.status.as_u16(), &over.json()["code"]), (413, &json!("body_too_large")));
    let agent = Wire::to(&house.server.url).bearer(&house.agent.access);
    assert_eq!(agent.post(&padded("ping", 12 << 20)).await.status, 200, "12 MiB are within the limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_call_that_is_refused_is_challenged_under_its_id() {
    let (_data, server) = anonymous_server().await;
    let nobody = Wire::to(&server.url);
    let expired = Wire::to(&server.url).bearer("cs_at_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    for wire in [nobody, expired] {
        for length in [1 << 10, (64 << 10) + 1, 12 << 20] {
            let back = wire.post(&padded("tools/call", length)).await;
            assert_eq!((back.status.as_u16(), &back.json()["id"]), (401, &json!("mine")), "{length}");
            assert_eq!(back.json()["result"]["isError"], true, "{length}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_is_taken_with_an_empty_body_and_its_length() {
    let (_data, server) = anonymous_server().await;
    let wire = Wire::to(&server.url);
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"notifications/cancelled","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"list_granted_resources"}}"#,
    ] {
        let back = wire.post(body).await;
        assert_eq!(
            (back.status.as_u16(), back.header("content-length"), back.text.as_str()),
            (202, "0", ""),
            "{body}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn anybody_may_see_the_catalogue_in_both_eras() {
    let (_data, server) = anonymous_server().await;
    let wire = Wire::to(&server.url);
    let hello = wire.post(INITIALIZE).await.json();
    assert_eq!(hello["result"]["protocolVersion"], "2024-11-05");
    assert_eq!(hello["result"]["capabilities"], json!({ "tools": { "listChanged": false } }));
    for accept in ["*/*", "application/json", ""] {
        let lax = Wire::to(&server.url).with("accept", accept).with("mcp-session-id", "whatever");
        let list = lax.legacy("tools/list", json!({})).await;
        assert_eq!(
            (list.status.as_u16(), list.header("content-type")),
            (200, "application/json"),
            "`{accept}`"
        );
        assert_eq!(list.header("mcp-session-id"), "");
    }
    // A lone discover, with nothing before it, is how some hosts find out.
    let found = wire.modern("server/discover", json!({})).await.json();
    assert_eq!(found["result"]["cacheScope"], "public");
    assert!(found["result"]["supportedVersions"].as_array().is_some_and(|all| all.len() == 5), "{found}");
    let list = wire.modern("tools/list", json!({})).await;
    let result = &list.json()["result"];
    assert_eq!(result["cacheScope"], "public");
    assert!(result["ttlMs"].as_i64().is_some_and(|ttl| ttl >= 3_600_000), "{result}");
    let tools = result["tools"].as_array().expect("tools");
    assert_eq!(tools.len(), 8);
    for tool in tools {
        assert_eq!(tool["securitySchemes"], tool["_meta"]["securitySchemes"], "{tool}");
        assert_eq!(tool["securitySchemes"][0]["type"], "oauth2");
    }
    assert_eq!(wire.modern("tools/list", json!({})).await.text, list.text, "the same bytes each time");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_of_nobody_is_401_with_the_challenge_in_header_and_body() {
    let (_data, server) = anonymous_server().await;
    let wire = Wire::to(&server.url);
    let params = json!({ "name": "list_granted_resources", "arguments": {} });
    for back in [wire.legacy("tools/call", params.clone()).await, wire.modern("tools/call", params).await] {
        assert_eq!(back.status, 401);
        let challenge = back.header("www-authenticate");
        let metadata = format!("{}/.well-known/oauth-protected-resource/api/v1/external-mcp", server.url);
        for part in [r#"error="invalid_token""#, r#"scope="countersign:read countersign:write""#, &metadata] {
            assert!(challenge.contains(part), "{challenge}");
        }
        assert_eq!(back.header("cache-control"), "no-store");
        let result = &back.json()["result"];
        assert_eq!(result["isError"], true);
        assert_eq!(result["content"][0]["text"], "Authentication required");
        assert_eq!(result["_meta"]["mcp/www_authenticate"], json!([challenge]));
    }
    let unknown = wire.legacy("tools/call", json!({ "name": "no_such_tool" })).await;
    assert_eq!(unknown.status, 401, "who is not signed in learns nothing of names");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_not_good_is_401_on_every_method() {
    let (_data, server) = anonymous_server().await;
    for token in ["x", "", "cs_at_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
        let wire = Wire::to(&server.url).bearer(token);
        for method in
            ["initialize", "tools/list", "tools/call", "ping", "notifications/initialized", "no/such"]
        {
            let back = wire.legacy(method, json!({ "name": "list_granted_resources" })).await;
            assert_eq!(back.status, 401, "{method}");
            assert!(back.header("www-authenticate").contains("invalid_token"), "{method}");
            assert_eq!(back.json()["result"]["isError"] == json!(true), method == "tools/call", "{method}");
        }
        assert_eq!(wire.send(Method::GET, wire.headers.clone(), String::new()).await.status, 401);
    }
    let basic = Wire::to(&server.url).with("authorization", "Basic b2xpdmlhOng=");
    assert_eq!(basic.legacy("tools/list", json!({})).await.status, 401, "another scheme is no token");
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_names_and_pages_are_refused() {
    let (_data, server) = anonymous_server().await;
    let origin = |origin: &str| Wire::to(&server.url).with("origin", origin);
    let refused = origin("https://evil.example").post(INITIALIZE).await;
    assert_eq!((refused.status.as_u16(), refused.header("x-ratelimit-limit")), (403, "2000"));
    assert_eq!(origin("null").post(INITIALIZE).await.status, 403);
    assert_eq!(origin(&server.url).post(INITIALIZE).await.status, 200);
    assert_eq!(origin("http://localhost:5173").post(INITIALIZE).await.status, 200);
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(origin("https://evil.example").post(notification).await.status, 403);
    let host = Wire::to(&server.url).with("host", "evil.example");
    assert!(host.post(INITIALIZE).await.status.is_client_error());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_era_has_its_code_for_what_is_not_there_and_the_same_words() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let wire = Wire::to(&house.server.url).bearer(&house.agent.access);
    let call = json!({ "name": "no_such_tool", "arguments": {} });
    let (old, new) = (wire.legacy("tools/call", call.clone()).await, wire.modern("tools/call", call).await);
    assert_eq!((old.error(), new.error()), ((200, -32601), (200, -32602)));
    for back in [old, new] {
        assert_eq!(back.json()["error"]["message"], "tool 'no_such_tool' is not available to this agent");
    }
    assert_eq!(wire.legacy("tools/call", json!({ "arguments": {} })).await.error(), (200, -32602));
    assert_eq!(wire.legacy("tools/call", json!({ "name": 7 })).await.error(), (200, -32602));
    for params in [json!(["list_granted_resources"]), json!(["list_granted_resources", {}, {}])] {
        assert_eq!(wire.legacy("tools/call", params).await.error(), (400, -32600), "params have names");
    }
    assert_eq!(wire.legacy("resources/subscribe", json!({ "uri": "x" })).await.error(), (200, -32601));
    assert_eq!(wire.modern("resources/subscribe", json!({ "uri": "x" })).await.error(), (404, -32601));
    assert_eq!(wire.legacy("no/such", json!({})).await.error(), (200, -32601));
    assert_eq!(wire.modern("ping", json!({})).await.error(), (404, -32601));
    assert_eq!(wire.modern("initialize", json!({})).await.error(), (404, -32601));
    assert_eq!(wire.legacy("initialize", json!({})).await.error(), (200, -32602));
    assert_eq!(wire.legacy("ping", json!({})).await.status, 200);
    let lying =
        Wire::to(&house.server.url).bearer(&house.agent.access).with("mcp-protocol-version", "2026-07-28");
    assert_eq!(
        lying.legacy("tools/list", json!({})).await.error().0,
        400,
        "a new version without its metadata"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_are_refused_as_a_tool_result_whatever_their_kind() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let wire = Wire::to(&house.server.url).bearer(&house.agent.access);
    for arguments in [json!([]), json!("x"), json!(1)] {
        let params = json!({ "name": "list_granted_resources", "arguments": arguments });
        for back in
            [wire.legacy("tools/call", params.clone()).await, wire.modern("tools/call", params.clone()).await]
        {
            let result = &back.json()["result"];
            assert_eq!((back.status.as_u16(), &result["isError"]), (200, &json!(true)), "{back:?}");
            let problem: Value =
                serde_json::from_str(result["content"][0]["text"].as_str().expect("text")).expect("JSON");
            assert_eq!(
                (&problem["code"], &problem["field"]),
                (&json!("invalid_arguments"), &json!("arguments"))
            );
        }
    }
    let wrong = house.agent.call("read_proposal", json!({ "proposal_id": "7" })).await.refusal();
    assert_eq!((&wrong["field"], &wrong["rule"]), (&json!("proposal_id"), &json!("must be a UUID")));
    let null = json!({ "name": "list_granted_resources", "arguments": null });
    let nothing = wire.legacy("tools/call", null).await;
    assert!(nothing.status.is_success(), "{nothing:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_tells_what_is_left_and_none_left_is_429() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let wire = Wire::to(&house.server.url).bearer(&house.agent.access);
    let left = |back: &Back| back.header("x-ratelimit-remaining").parse::<i64>().expect("a number");
    let before = left(&wire.legacy("ping", json!({})).await);
    assert_eq!(left(&wire.post("{").await), before - 1, "what is refused counts too");
    assert_eq!(left(&wire.legacy("tools/call", json!({ "name": "no_such_tool" })).await), before - 2);
    let anonymous = Wire::to(&house.server.url).legacy("tools/list", json!({})).await;
    assert_eq!(anonymous.header("x-ratelimit-limit"), "2000", "counted by address: {anonymous:?}");
    let mut last = wire.legacy("ping", json!({})).await;
    for _ in 0..2_100 {
        if last.status == 429 {
            break;
        }
        last = wire.legacy("ping", json!({})).await;
    }
    assert_eq!(last.status, 429);
    assert!(
        last.header("retry-after").parse::<u32>().is_ok_and(|seconds| (1..=60).contains(&seconds)),
        "{last:?}"
    );
    let refused = house.agent.call("list_granted_resources", json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (429, "rate_limited"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_a_connection_is_its_own_and_the_same_after_a_restart() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    let first = Wire::to(&house.server.url).bearer(&house.agent.access).modern("tools/list", json!({})).await;
    let result = &first.json()["result"];
    assert_eq!(
        (&result["cacheScope"], result["tools"].as_array().map(Vec::len)),
        (&json!("private"), Some(8))
    );
    house.restart(&Options::default()).await;
    let again = Wire::to(&house.server.url).bearer(&house.agent.access).modern("tools/list", json!({})).await;
    assert_eq!(again.text, first.text);
}
