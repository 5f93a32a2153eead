//! The schema that a tool publishes: closed, short, and the same one that its arguments are checked against.

pub mod check;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// A JSON object, as schemas are.
pub type Object = Map<String, Value>;

/// What the input type of a tool says about itself.
#[derive(Debug, Clone)]
pub struct InputSchema {
    /// The doc comment of the type, on one line: the description of the tool.
    pub description: String,
    /// What `tools/list` shows.
    pub published: Object,
    /// What arguments are checked against: the published schema, and which texts are UUIDs.
    pub checked: Object,
}

/// Which side of a tool a schema describes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Closed; an argument that is left out is absent, never null.
    Input,
    /// Open; what is absent is null.
    Output,
}

/// The schema of a tool's arguments.
pub fn input<T: JsonSchema>() -> InputSchema {
    let mut root = draw::<T>(SchemaSettings::draft2020_12());
    let description =
        root.shift_remove("description").and_then(|text| text.as_str().map(one_line)).unwrap_or_default();
    tidy(&mut root, Side::Input);
    let mut published = root.clone();
    drop_formats(&mut published);
    InputSchema { description, published, checked: root }
}

/// The schema of a tool's structured result.
pub fn output<T: JsonSchema>() -> Object {
    let mut root = draw::<T>(SchemaSettings::draft2020_12().for_serialize());
    root.shift_remove("description");
    tidy(&mut root, Side::Output);
    drop_formats(&mut root);
    root
}

fn draw<T: JsonSchema>(settings: SchemaSettings) -> Object {
    let settings = settings.with(|s| {
        s.inline_subschemas = true;
        s.meta_schema = None;
    });
    let Value::Object(mut root) = settings.into_generator().into_root_schema_for::<T>().to_value() else {
        return Map::new();
    };
    root.entry("type").or_insert_with(|| "object".into());
    root
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Takes out what only costs tokens and closes what is open, here and in every schema below.
fn tidy(schema: &mut Object, side: Side) {
    schema.shift_remove("title");
    schema.shift_remove("default");
    fold_consts(schema);
    if side == Side::Input {
        fold_null(schema);
        if schema.contains_key("enum") {
            // The words explain themselves; what is left is the doc comment of the type.
            schema.shift_remove("description");
        }
    }
    if schema.get("format").is_some_and(|format| format != "uuid") {
        schema.shift_remove("format");
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = one_line(text);
    }
    if side == Side::Input && schema.get("type").is_some_and(|kind| kind == "object") {
        schema.entry("properties").or_insert_with(|| json!({}));
        schema.insert("additionalProperties".into(), false.into());
    }
    each_below(schema, &mut |below| tidy(below, side));
}

/// Turns a choice between single values, one a variant, into one `enum`.
fn fold_consts(schema: &mut Object) {
    let Some(Value::Array(choices)) = schema.get("oneOf") else { return };
    let values: Option<Vec<Value>> = choices.iter().map(|choice| choice.get("const").cloned()).collect();
    let Some(values) = values else { return };
    schema.shift_remove("oneOf");
    schema.insert("type".into(), "string".into());
    schema.insert("enum".into(), values.into());
}

/// Takes `null` out of an argument that may be left out: leaving it out is the one way to say so.
fn fold_null(schema: &mut Object) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            schema.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(choices)) = schema.get("anyOf") else { return };
    let real: Vec<&Value> =
        choices.iter().filter(|choice| choice.get("type").is_none_or(|kind| kind != "null")).collect();
    let [Value::Object(only)] = real.as_slice() else { return };
    let only = only.clone();
    schema.shift_remove("anyOf");
    for (name, value) in only {
        schema.entry(name).or_insert(value);
    }
    fold_consts(schema);
}

fn drop_formats(schema: &mut Object) {
    schema.shift_remove("format");
    each_below(schema, &mut drop_formats);
}

/// Visits the schemas one step below: of properties, of items, and of choices.
fn each_below(schema: &mut Object, visit: &mut dyn FnMut(&mut Object)) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().filter_map(Value::as_object_mut).for_each(&mut *visit);
    }
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        visit(items);
    }
    for name in ["anyOf", "oneOf"] {
        if let Some(Value::Array(choices)) = schema.get_mut(name) {
            choices.iter_mut().filter_map(Value::as_object_mut).for_each(&mut *visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists things.
    /// Safe to repeat.
    #[derive(serde::Deserialize, JsonSchema)]
    struct Input {
        project_id: countersign_core::id::ProjectId,
        #[schemars(range(max = 50))]
        limit: Option<u32>,
        status: Option<countersign_core::proposal::ProposalState>,
        /// A property whose name is a keyword.
        title: Option<String>,
        files: Vec<File>,
    }

    #[derive(serde::Deserialize, JsonSchema)]
    struct File {
        #[schemars(length(min = 1, max = 9))]
        path: String,
    }

    #[test]
    fn the_published_schema_is_closed_and_says_nothing_twice() {
        let schema = input::<Input>();
        assert_eq!(schema.description, "Lists things. Safe to repeat.");
        insta::assert_snapshot!(serde_json::to_string(&schema.published).unwrap(), @r#"{"type":"object","properties":{"project_id":{"type":"string"},"limit":{"type":"integer","minimum":0,"maximum":50},"status":{"type":"string","enum":["pending","executing","executed","stale","failed","declined","withdrawn","expired"]},"title":{"type":"string","description":"A property whose name is a keyword."},"files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string","minLength":1,"maxLength":9}},"required":["path"],"additionalProperties":false}}},"required":["project_id","files"],"additionalProperties":false}"#);
    }

    #[test]
    fn what_keeps_the_schema_fits_the_type() {
        let id = "0190f0f0-0000-7000-8000-000000000001";
        let given = json!({ "project_id": id, "limit": 50, "status": "stale", "title": "t", "files": [{ "path": "p" }] });
        check::arguments(&input::<Input>().checked, &given).unwrap();
        let Input { project_id, limit, status, title, files } = serde_json::from_value(given).unwrap();
        assert_eq!((project_id.to_string().as_str(), limit, title.as_deref()), (id, Some(50), Some("t")));
        assert_eq!(
            (status.map(countersign_core::proposal::ProposalState::as_str), files[0].path.as_str()),
            (Some("stale"), "p")
        );
    }

    #[test]
    fn ids_are_known_as_uuids_to_the_check_alone() {
        let schema = input::<Input>();
        assert_eq!(schema.checked["properties"]["project_id"]["format"], "uuid");
    }

    #[test]
    fn a_type_without_fields_takes_no_arguments() {
        /// Does it.
        #[derive(serde::Deserialize, JsonSchema)]
        struct Nothing {}
        let schema = input::<Nothing>();
        assert_eq!(
            Value::Object(schema.published),
            json!({ "type": "object", "properties": {}, "additionalProperties": false })
        );
    }

    #[test]
    fn a_result_may_hold_null_where_nothing_is() {
        #[derive(serde::Serialize, JsonSchema)]
        struct Output {
            decided_at: Option<countersign_core::time::Timestamp>,
        }
        let schema = Value::Object(output::<Output>());
        assert_eq!(schema["properties"]["decided_at"]["type"], json!(["string", "null"]));
    }
}
