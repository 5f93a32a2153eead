//! Arguments that keep a tool's schema: what is required and no more, with ids that are nowhere.

use serde_json::{Map, Value, json};

use crate::ids::Ids;

/// The arguments of a call.
pub(crate) fn of(schema: &Map<String, Value>) -> Value {
    value(&Value::Object(schema.clone()))
}

fn value(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    match schema["type"].as_str().unwrap_or_default() {
        "object" => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let names = required.iter().filter_map(Value::as_str);
            let pairs = names.map(|name| (name.to_owned(), value(&schema["properties"][name])));
            Value::Object(pairs.collect())
        }
        "array" => json!([value(&schema["items"])]),
        "integer" => schema.get("minimum").cloned().unwrap_or(json!(0)),
        "boolean" => json!(false),
        _ if schema["format"] == "uuid" => json!(Ids::nowhere().repository),
        _ => {
            let least = schema["minLength"].as_u64().unwrap_or(1);
            json!("x".repeat(usize::try_from(least.max(1)).unwrap_or(1)))
        }
    }
}
