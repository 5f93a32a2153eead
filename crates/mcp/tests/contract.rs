//! The whole contract of the catalogue, as hosts and models get it, and what it costs a model.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use countersign_core::caller::Caller;
use countersign_mcp::cost;
use countersign_mcp::schema::check::{KEYWORDS, PRINTABLE};
use countersign_mcp::tools::catalogue;
use serde_json::{Map, Value, json};

/// What the issue allows for one tool on average, in tokens of `cl100k_base`.
const BUDGET_PER_TOOL: usize = 110;

fn listed() -> Vec<Value> {
    let anyone = Caller::anonymous(std::net::Ipv4Addr::LOCALHOST.into());
    catalogue().listed(&anyone).iter().map(|tool| serde_json::to_value(tool).unwrap()).collect()
}

/// What a host gives to its model of a tool.
fn for_model(tool: &Value) -> String {
    json!({ "name": tool["name"], "description": tool["description"], "inputSchema": tool["inputSchema"] })
        .to_string()
}

#[test]
fn the_contract_is_as_agreed() {
    insta::assert_json_snapshot!(listed());
}

#[test]
fn a_model_pays_at_most_the_budget() {
    let words = tiktoken_rs::cl100k_base().unwrap();
    let costs: Vec<(String, usize)> = listed()
        .iter()
        .map(|tool| (tool["name"].to_string(), words.encode_ordinary(&for_model(tool)).len()))
        .collect();
    let total: usize = costs.iter().map(|(_, tokens)| tokens).sum();
    let beside: usize =
        listed().iter().map(|tool| words.encode_ordinary(&tool.to_string()).len()).sum::<usize>() - total;
    let lines = costs.iter().map(|(name, tokens)| format!("    ({name}, {tokens}),\n"));
    assert!(
        costs
            .iter()
            .all(|(name, tokens)| cost::of(name.trim_matches('"')).map(|n| n as usize) == Some(*tokens)),
        "crates/mcp/src/cost.rs is to say:\n{}",
        lines.collect::<String>()
    );
    println!("{costs:?}: {total} for a model; output schemas, annotations and schemes: {beside} more");
    assert!(total <= BUDGET_PER_TOOL * costs.len(), "{total} tokens: {costs:?}");
}

#[test]
fn every_keyword_that_is_published_is_checked() {
    fn walk(schema: &Map<String, Value>, tool: &str) {
        for (keyword, value) in schema {
            assert!(
                KEYWORDS.contains(&keyword.as_str()),
                "{tool} publishes `{keyword}`, which nothing checks"
            );
            if keyword == "pattern" {
                assert_eq!(value, PRINTABLE, "{tool} publishes a pattern that nothing checks");
            }
            let below: Vec<&Value> = match keyword.as_str() {
                "properties" => value.as_object().unwrap().values().collect(),
                "items" => vec![value],
                _ => Vec::new(),
            };
            for schema in below {
                walk(schema.as_object().unwrap(), tool);
            }
        }
        if schema["type"] == "object" {
            assert_eq!(schema["additionalProperties"], false, "{tool} is open");
        }
    }
    for tool in listed() {
        walk(tool["inputSchema"].as_object().unwrap(), tool["name"].as_str().unwrap());
    }
}

#[test]
fn a_tool_says_what_it_does_in_one_line() {
    for tool in listed() {
        let description = tool["description"].as_str().unwrap();
        assert!(
            (20..=300).contains(&description.len()) && !description.contains('\n'),
            "{}: {description}",
            tool["name"]
        );
    }
}

fn names() -> Vec<&'static str> {
    catalogue().iter().map(|tool| tool.action.name).collect()
}

#[test]
fn no_two_tools_share_a_name() {
    let cards = catalogue().catalogue().unwrap();
    assert_eq!(cards.iter().map(|card| card.name).collect::<Vec<_>>(), names());
}

#[test]
fn next_actions_name_only_what_can_be_called() {
    let names = names();
    for code in countersign_core::problem::Code::ALL {
        for word in code.next_action().split('`').skip(1).step_by(2) {
            let known = names.contains(&word)
                || ["tools/list", "Retry-After", "Allow", "ETag", "If-Match"].contains(&word);
            assert!(known, "{} sends its caller to `{word}`, which is no tool", code.as_str());
        }
    }
}

#[test]
fn the_list_is_the_same_bytes_each_time() {
    assert_eq!(serde_json::to_vec(&listed()).unwrap(), serde_json::to_vec(&listed()).unwrap());
}
