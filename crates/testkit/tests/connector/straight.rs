//! Regular calls are answered without the SDK; here they are sent both ways.

use countersign_testkit::data::Engine;
use countersign_testkit::house::House;
use countersign_testkit::server::Options;
use serde_json::json;

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

fn alike(straight: &Back, sdk: &Back, what: &str) {
    let plain = |back: &Back| {
        let kept = ["content-type", "www-authenticate", "cache-control", "retry-after"];
        (back.status, back.text.clone(), kept.map(|name| back.header(name).to_owned()))
    };
    assert_eq!(plain(straight), plain(sdk), "{what}");
}
