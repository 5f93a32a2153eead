//! docs/tools.md: every tool as a host sees it, from the registry.

use std::fmt::Write as _;

use countersign_mcp::ToolEntry;
use countersign_mcp::tools::catalogue;
use serde_json::{Map, Value};

use super::Document;

const HEAD: &str = "# Tools\n\n\
    Written by `cargo xtask generate` from the registry of the connector. Arguments that are not listed are\n\
    refused; a refusal is a tool result with `isError: true` and one of the [codes](codes.md).\n";

/// The document.
pub(super) fn document() -> Document {
    let text = catalogue().iter().fold(HEAD.to_owned(), |mut text, tool| {
        tell(&mut text, tool);
        text
    });
    Document { path: "docs/tools.md", text }
}

fn tell(text: &mut String, tool: &ToolEntry) {
    let _ = writeln!(
        text,
        "\n## {}\n\n{}\n\nScope `{}`.",
        tool.action.name,
        tool.input.description,
        tool.scope.as_str()
    );
    let schema = &tool.input.published;
    let required: Vec<&str> = schema.get("required").into_iter().flat_map(texts).collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    let _ = match properties.filter(|properties| !properties.is_empty()) {
        None => writeln!(text, "\nNo argument."),
        Some(_) => writeln!(text, "\n| argument | required | what | rule |\n|---|---|---|---|"),
    };
    for (name, property) in properties.into_iter().flatten() {
        let must = if required.contains(&name.as_str()) { "yes" } else { "" };
        let what = property.get("description").and_then(Value::as_str).unwrap_or_default();
        let _ = writeln!(text, "| `{name}` | {must} | {} | `{}` |", cell(what), cell(&rule(property)));
    }
    let fields = tool.output.get("properties").and_then(Value::as_object);
    let named: Vec<String> = fields.into_iter().flatten().map(|(name, _)| format!("`{name}`")).collect();
    let _ = writeln!(text, "\nResult: {}.", named.join(", "));
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// What the schema says of the argument but for its description.
fn rule(property: &Value) -> String {
    let rest: Map<String, Value> = property
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| *key != "description")
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    Value::Object(rest).to_string()
}

/// Text that does not end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
