//! Regular calls are answered without the SDK; here they are sent both ways.

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::server::Options;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::wire::{Back, Wire};

/// Calls that go the straight way: what they ask for, and the same with a member that no rule forbids and no client
/// sends, which goes through the SDK.
#[tokio::test(flavor = "multi_thread")]
async fn the_straight_way_and_the_sdk_answer_alike() {
    let mut house = House::build(Engine::Sqlite, &Options::default()).await;
    let wires = |access: &str| {
        ["", "2025-03-26", "2025-11-25"].map(|version| {
            let wire = Wire::to(&house.server.url).bearer(access);
            if version.is_empty() { wire } else { wire.with("mcp-protocol-version", version) }
        })
    };
    let calls = [
        json!({ "name": "list_granted_resources", "arguments": {} }),
        json!({ "name": "list_granted_resources" }),
        json!({ "name": "list_granted_resources", "arguments": {}, "_meta": { "progressToken": 7 } }),
        json!({ "name": "list_granted_resources", "arguments": { "workspace_id": "w" } }),
        json!({ "name": "list_project_resources", "arguments": { "project_id": house.project } }),
        json!({ "name": "read_gitnest_repository", "arguments": { "repository_id": house.repository, "path": "README.md" } }),
        json!({ "name": "read_proposal", "arguments": { "proposal_id": house.repository } }),
        json!({ "name": "no_such_tool", "arguments": {} }),
        json!({ "name": "", "arguments": {} }),
    ];
    let access = house.agent.access.clone();
    for (at, wire) in wires(&access).iter().chain(&wires("cs_at_none")).enumerate() {
        for call in &calls {
            let mut through_sdk = call.clone();
            through_sdk["unheard"] = json!(1);
            let (straight, sdk) = (
                wire.legacy("tools/call", call.clone()).await,
                wire.legacy("tools/call", through_sdk.clone()).await,
            );
            alike(&straight, &sdk, &format!("{at} {call}"));
            let (straight, sdk) =
                (wire.modern("tools/call", call.clone()).await, wire.modern("tools/call", through_sdk).await);
            alike(&straight, &sdk, &format!("{at} modern {call}"));
        }
    }
    house.revoke().await;
    let wire = Wire::to(&house.server.url).bearer(&access);
    assert_eq!(wire.legacy("tools/call", calls[0].clone()).await.status, 401);
}

/// Values that a member may have and mostly should not.
fn odd() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(vec![
            "",
            "list_granted_resources",
            "read_proposal",
            "no_such",
            "\u{202e}",
            "2026-07-28"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let names =
            prop::sample::select(vec!["name", "arguments", "_meta", "proposal_id", "progressToken", "x"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::hash_map(names, inner, 0..3)
                .prop_map(|map| map.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    })
}

/// Params of a call: mostly of the right shape, sometimes of none.
fn params() -> impl Strategy<Value = Value> {
    let name = prop_oneof![
        4 => prop::sample::select(vec!["list_granted_resources", "read_proposal", "no_such", ""]).prop_map(Value::from),
        1 => odd(),
    ];
    let member = || prop::option::of(odd());
    let shaped = (name, member(), member()).prop_map(|(name, arguments, meta)| {
        let mut params = json!({ "name": name });
        for (key, value) in [("arguments", arguments), ("_meta", meta)] {
            if let Some(value) = value {
                params[key] = value;
            }
        }
        params
    });
    prop_oneof![5 => shaped, 1 => odd()]
}

/// What both ways answer to a generated message: the second time with a member of the params that sends it through the
/// SDK, where the params can hold one.
#[tokio::test(flavor = "multi_thread")]
async fn generated_calls_are_answered_alike_both_ways() {
    let house = House::build(Engine::Sqlite, &Options::default()).await;
    let wire = Wire::to(&house.server.url).bearer(&house.agent.access);
    let id = prop_oneof![odd(), any::<u64>().prop_map(Value::from), ".{0,9}".prop_map(Value::from)];
    let mut runner = TestRunner::deterministic();
    let messages = (id, params());
    let mut both = 0;
    for _ in 0..400 {
        let (id, params) = messages.new_tree(&mut runner).expect("a message").current();
        let message =
            |params: &Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let plain = wire.post(&message(&params).to_string()).await;
        assert!(plain.status.as_u16() < 500, "{id} {params}: {plain:?}");
        let mut through_sdk = params.clone();
        let Some(members) = through_sdk.as_object_mut() else {
            assert_eq!(plain.status, 400, "{id} {params}: {plain:?}");
            continue;
        };
        members.insert("unheard".to_owned(), json!(1));
        alike(&plain, &wire.post(&message(&through_sdk).to_string()).await, &format!("{id} {params}"));
        both += 1;
    }
    assert!(both > 200, "{both} calls went both ways");
}

fn alike(straight: &Back, sdk: &Back, what: &str) {
    let plain = |back: &Back| {
        let kept = ["content-type", "www-authenticate", "cache-control", "retry-after"];
        (back.status, back.text.clone(), kept.map(|name| back.header(name).to_owned()))
    };
    assert_eq!(plain(straight), plain(sdk), "{what}");
}
