//! Checks arguments against a published schema and names the first field that breaks a rule.

use countersign_core::problem::Problem;
use serde_json::Value;

use super::Object;

/// The keywords of JSON Schema 2020-12 that a tool's input may use: exactly those that are checked here,
/// and `description`, which checks nothing.
pub const KEYWORDS: [&str; 14] = [
    "type",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "items",
    "minItems",
    "maxItems",
];

/// The one `pattern` that is known here: printable ASCII (ECMA-262, as JSON Schema reads it).
pub const PRINTABLE: &str = "^[ -~]*$";

/// The rule that a value breaks, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Breach {
    /// The argument, `files[2].path` for one inside another.
    pub field: String,
    /// What the schema says about it, as the end of a sentence.
    pub rule: String,
}

impl From<Breach> for Problem {
    fn from(breach: Breach) -> Self {
        Self::invalid(&breach.field, breach.rule)
    }
}

/// Checks the arguments of a call; arguments that were left out are an empty object.
pub fn arguments(schema: &Object, arguments: &Value) -> Result<(), Breach> {
    value(schema, arguments, "arguments", "")
}

/// `shown` names the value in a refusal, `prefix` is what names of its own properties begin with.
fn value(schema: &Object, value: &Value, shown: &str, prefix: &str) -> Result<(), Breach> {
    let breach = |rule: String| Err(Breach { field: shown.to_owned(), rule });
    match (schema.get("type").and_then(Value::as_str), value) {
        (Some("object"), Value::Object(given)) => object(schema, given, prefix),
        (Some("array"), Value::Array(given)) => array(schema, given, shown),
        (Some("string"), Value::String(given)) => string(schema, given).or_else(breach),
        (Some("integer"), Value::Number(given)) => integer(schema, given).or_else(breach),
        (Some("boolean"), Value::Bool(_)) => Ok(()),
        (Some("object"), _) => breach("must be an object".into()),
        (Some("array"), _) => breach("must be a list".into()),
        (Some("string"), _) => breach("must be a string".into()),
        (Some("integer"), _) => breach("must be an integer".into()),
        (Some("boolean"), _) => breach("must be true or false".into()),
        (_, _) => breach("is of no kind that this server takes".into()),
    }
}

fn object(schema: &Object, given: &Object, prefix: &str) -> Result<(), Breach> {
    let none = Object::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let breach = |name: &str, rule: &str| Err(Breach { field: format!("{prefix}{name}"), rule: rule.into() });
    if let Some(name) = given.keys().find(|name| !known.contains_key(*name)) {
        let name: String = name.chars().take(100).collect();
        return breach(&name, "is not an argument of this tool");
    }
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if let Some(name) = required.iter().filter_map(Value::as_str).find(|name| !given.contains_key(*name)) {
        return breach(name, "is required");
    }
    for (name, below) in known {
        if let (Some(below), Some(inner)) = (below.as_object(), given.get(name)) {
            let field = format!("{prefix}{name}");
            value(below, inner, &field, &format!("{field}."))?;
        }
    }
    Ok(())
}

fn array(schema: &Object, given: &[Value], shown: &str) -> Result<(), Breach> {
    let breach = |rule: String| Err(Breach { field: shown.to_owned(), rule });
    if let Some(least) = limit(schema, "minItems").filter(|least| (given.len() as u64) < *least) {
        return breach(format!("must have at least {least} {}", plural(least, "entry", "entries")));
    }
    if let Some(most) = limit(schema, "maxItems").filter(|most| given.len() as u64 > *most) {
        return breach(format!("must have at most {most} {}", plural(most, "entry", "entries")));
    }
    let Some(items) = schema.get("items").and_then(Value::as_object) else { return Ok(()) };
    for (at, inner) in given.iter().enumerate() {
        let field = format!("{shown}[{at}]");
        value(items, inner, &field, &format!("{field}."))?;
    }
    Ok(())
}

fn string(schema: &Object, given: &str) -> Result<(), String> {
    let length = given.chars().count() as u64;
    if let Some(least) = limit(schema, "minLength").filter(|least| length < *least) {
        return Err(format!("must have at least {least} {}", plural(least, "character", "characters")));
    }
    if let Some(most) = limit(schema, "maxLength").filter(|most| length > *most) {
        return Err(format!("must have at most {most} {}", plural(most, "character", "characters")));
    }
    if schema.get("pattern").is_some() && !given.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Err("must be printable ASCII".into());
    }
    if let Some(Value::Array(words)) = schema.get("enum")
        && !words.iter().any(|word| word == given)
    {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        return Err(format!("must be one of {}", words.join(", ")));
    }
    if schema.get("format").is_some() && countersign_core::id::ResourceId::parse(given).is_err() {
        return Err("must be a UUID".into());
    }
    Ok(())
}

fn integer(schema: &Object, given: &serde_json::Number) -> Result<(), String> {
    let Some(given) = given.as_i128() else { return Err("must be an integer".into()) };
    let bound = |name| schema.get(name).and_then(Value::as_i64).map(i128::from);
    if let Some(least) = bound("minimum").filter(|least| given < *least) {
        return Err(format!("must be at least {least}"));
    }
    if let Some(most) = bound("maximum").filter(|most| given > *most) {
        return Err(format!("must be at most {most}"));
    }
    Ok(())
}

fn limit(schema: &Object, name: &str) -> Option<u64> {
    schema.get(name).and_then(Value::as_u64)
}

fn plural(count: u64, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Object {
        let schema = json!({
            "type": "object",
            "properties": {
                "kind": { "type": "string", "enum": ["note", "room"] },
                "id": { "type": "string", "format": "uuid" },
                "search": { "type": "string", "minLength": 1, "maxLength": 3 },
                "limit": { "type": "integer", "minimum": 0, "maximum": 50 },
                "deep": { "type": "boolean" },
                "key": { "type": "string", "pattern": PRINTABLE },
                "files": { "type": "array", "minItems": 1, "maxItems": 2, "items": {
                    "type": "object",
                    "properties": { "path": { "type": "string", "maxLength": 4 } },
                    "required": ["path"],
                    "additionalProperties": false
                } }
            },
            "required": ["kind"],
            "additionalProperties": false
        });
        schema.as_object().unwrap().clone()
    }

    #[test]
    fn each_broken_rule_is_told_with_its_field() {
        let cases = [
            (json!([]), "arguments", "must be an object"),
            (json!({}), "kind", "is required"),
            (
                json!({ "kind": "note", "workspace_id": "x" }),
                "workspace_id",
                "is not an argument of this tool",
            ),
            (json!({ "kind": "project" }), "kind", "must be one of note, room"),
            (json!({ "kind": 1 }), "kind", "must be a string"),
            (json!({ "kind": "note", "id": "7" }), "id", "must be a UUID"),
            (json!({ "kind": "note", "search": "" }), "search", "must have at least 1 character"),
            (json!({ "kind": "note", "search": "ßßßß" }), "search", "must have at most 3 characters"),
            (json!({ "kind": "note", "search": null }), "search", "must be a string"),
            (json!({ "kind": "note", "key": "a\u{7f}" }), "key", "must be printable ASCII"),
            (json!({ "kind": "note", "key": "ß" }), "key", "must be printable ASCII"),
            (json!({ "kind": "note", "key": "a\n" }), "key", "must be printable ASCII"),
            (json!({ "kind": "note", "limit": 51 }), "limit", "must be at most 50"),
            (json!({ "kind": "note", "limit": -1 }), "limit", "must be at least 0"),
            (json!({ "kind": "note", "limit": 1.5 }), "limit", "must be an integer"),
            (json!({ "kind": "note", "limit": u64::MAX }), "limit", "must be at most 50"),
            (json!({ "kind": "note", "deep": "yes" }), "deep", "must be true or false"),
            (json!({ "kind": "note", "files": [] }), "files", "must have at least 1 entry"),
            (json!({ "kind": "note", "files": [{}, {}, {}] }), "files", "must have at most 2 entries"),
            (json!({ "kind": "note", "files": {} }), "files", "must be a list"),
            (json!({ "kind": "note", "files": ["a"] }), "files[0]", "must be an object"),
            (json!({ "kind": "note", "files": [{ "path": "a" }, {}] }), "files[1].path", "is required"),
            (
                json!({ "kind": "note", "files": [{ "path": "abcde" }] }),
                "files[0].path",
                "must have at most 4 characters",
            ),
            (
                json!({ "kind": "note", "files": [{ "path": "a", "mode": 1 }] }),
                "files[0].mode",
                "is not an argument of this tool",
            ),
        ];
        for (given, field, rule) in cases {
            let breach = arguments(&schema(), &given).expect_err(&given.to_string());
            assert_eq!((breach.field.as_str(), breach.rule.as_str()), (field, rule), "{given}");
        }
    }

    #[test]
    fn what_keeps_every_rule_passes() {
        let given = json!({
            "kind": "room", "id": "0190f0f0-0000-7000-8000-000000000001", "search": "ßßß", "limit": 50,
            "deep": true, "key": " ~", "files": [{ "path": "a" }, { "path": "b.rs" }]
        });
        assert_eq!(arguments(&schema(), &given), Ok(()));
    }

    #[test]
    fn a_long_foreign_name_is_not_repeated_whole() {
        let breach = arguments(&schema(), &json!({ "x".repeat(5_000): 1 })).unwrap_err();
        assert_eq!(breach.field.len(), 100);
    }
}
