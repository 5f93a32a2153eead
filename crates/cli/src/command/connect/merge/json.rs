//! Files of JSON, with the comments and last commas that some hosts allow.

use countersign_core::host::Entry;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};

use super::{PLACES, Unreadable, elsewhere, holds_credentials, is_at, our_url, taken};

/// JSON with comments and last commas, and nothing looser.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// `text` with the entry.
pub(super) fn merge(entry: &Entry, text: &str) -> Result<String, Unreadable> {
    let text = if text.trim().is_empty() { "" } else { text };
    let root = CstRootNode::parse(text, &OPTIONS).map_err(|error| Unreadable(error.to_string()))?;
    let whole = root.object_value_or_create().ok_or_else(|| no_object("the file"))?;
    let servers = below(&whole, entry.table)?;
    let server = below(&servers, entry.name.as_str())?;
    if server.get("command").is_some() {
        return Err(taken(entry.name.as_str()));
    }
    keep_credentials(&server, entry)?;
    for key in entry.outdated {
        once(&server, key)?;
        if let Some(property) = server.get(key) {
            property.remove();
        }
    }
    for (key, value) in &entry.says {
        set(&server, key, value)?;
    }
    let merged = root.to_string();
    Ok(if text.is_empty() { format!("{}\n", merged.trim()) } else { merged })
}

/// Refuses an entry of a server elsewhere that holds credentials: with our address in it they would be sent to us.
fn keep_credentials(server: &CstObject, entry: &Entry) -> Result<(), Unreadable> {
    let properties = server.properties();
    let names: Vec<String> = properties.iter().filter_map(CstObjectProp::decoded_name).collect();
    let places: Vec<Option<String>> = properties
        .iter()
        .filter(|property| property.decoded_name().is_some_and(|name| PLACES.contains(&name.as_str())))
        .map(|property| property.value()?.as_string_lit()?.decoded_value().ok())
        .collect();
    let is_ours = is_at(our_url(entry), places.iter().map(Option::as_deref));
    if holds_credentials(names.iter().map(String::as_str)) && !is_ours {
        return Err(elsewhere(entry.name.as_str()));
    }
    Ok(())
}

/// The object under a name, made when there is none.
fn below(object: &CstObject, name: &str) -> Result<CstObject, Unreadable> {
    once(object, name)?;
    object.object_value_or_create(name).ok_or_else(|| no_object(name))
}

fn set(server: &CstObject, key: &str, value: &str) -> Result<(), Unreadable> {
    once(server, key)?;
    let Some(property) = server.get(key) else {
        server.append(key, CstInputValue::String(value.to_owned()));
        return Ok(());
    };
    let says = property.value().and_then(|node| node.as_string_lit()?.decoded_value().ok());
    if says.as_deref() != Some(value) {
        property.set_value(CstInputValue::String(value.to_owned()));
    }
    Ok(())
}

/// Refuses a name that stands twice in its object: the host may read the other one (RFC 8259 §4).
fn once(object: &CstObject, name: &str) -> Result<(), Unreadable> {
    let named =
        object.properties().into_iter().filter(|property| property.decoded_name().as_deref() == Some(name));
    if named.count() > 1 { Err(Unreadable(format!("`{name}` stands in it twice"))) } else { Ok(()) }
}

fn no_object(name: &str) -> Unreadable {
    Unreadable(format!("{name} is no object"))
}

#[cfg(test)]
mod tests {
    use countersign_core::host::{Host, Recipe, ServerName};
    use serde_json::{Value, json};

    use super::*;

    const URL: &str = "http://localhost:8420/api/v1/external-mcp";

    fn entry(host: Host) -> Entry {
        Recipe::new(host, &ServerName::default(), URL).entry
    }

    #[test]
    fn an_empty_file_becomes_the_setting() {
        for host in [Host::ClaudeCode, Host::Gemini, Host::VsCode, Host::Cursor] {
            let recipe = Recipe::new(host, &ServerName::default(), URL);
            for empty in ["", " \n"] {
                assert_eq!(merge(&recipe.entry, empty).unwrap(), format!("{}\n", recipe.setting), "{host:?}");
            }
        }
    }

    #[test]
    fn everything_else_stays_to_the_letter_and_a_second_time_changes_nothing() {
        let text = "// mine\n{\n\t\"servers\": {\n\t\t\"other\": { \"type\": \"stdio\", \"command\": \"x\" }, // keep\n\t},\n\t\"inputs\": [1.50, 1e3],\n}\n";
        let merged = merge(&entry(Host::VsCode), text).unwrap();
        insta::assert_snapshot!(merged);
        assert_eq!(merge(&entry(Host::VsCode), &merged).unwrap(), merged);
    }

    #[test]
    fn an_entry_of_before_is_brought_up_to_date_and_keeps_what_a_person_added() {
        let text = json!({ "mcpServers": { "countersign": { "httpUrl": "http://old/", "trust": true, "type": "sse" } } });
        let merged = merge(&entry(Host::Gemini), &text.to_string()).unwrap();
        let merged: Value = serde_json::from_str(&merged).unwrap();
        let says = json!({ "trust": true, "type": "http", "url": URL });
        assert_eq!(merged, json!({ "mcpServers": { "countersign": says } }));
    }

    #[test]
    fn credentials_for_a_server_elsewhere_are_not_sent_to_us() {
        let with = |place: &str, url: &str, key: &str| {
            let server = json!({ place: url, key: { "x": "secret" } });
            json!({ "mcpServers": { "countersign": server } }).to_string()
        };
        for host in [Host::ClaudeCode, Host::Gemini, Host::Cursor] {
            for place in ["url", "httpUrl"] {
                for key in ["headers", "Authorization", "oauth", "env", "bearer_token", "apiKey"] {
                    let refused =
                        merge(&entry(host), &with(place, "https://other.example/mcp", key)).unwrap_err();
                    assert!(refused.0.contains("another address"), "{place} {key}: {refused}");
                    assert!(merge(&entry(host), &with(place, "http://localhost:8420/old", key)).is_ok());
                }
                assert!(merge(&entry(host), &with(place, "https://other.example/mcp", "trust")).is_ok());
            }
        }
        let nowhere = "{\"mcpServers\": {\"countersign\": {\"headers\": {\"x\": \"secret\"}}}}";
        assert!(merge(&entry(Host::ClaudeCode), nowhere).is_err());
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (text, why) in [
            ("{", "Unterminated"),
            ("[]", "the file is no object"),
            ("{\"mcpServers\": []}", "mcpServers is no object"),
            ("{\"mcpServers\": {\"countersign\": 7}}", "countersign is no object"),
            ("{\"mcpServers\": {}, \"mcpServers\": {}}", "twice"),
            ("{\"mcpServers\": {\"countersign\": {\"url\": \"a\", \"\\u0075rl\": \"b\"}}}", "twice"),
            ("{\"mcpServers\": {\"countersign\": {\"command\": \"x\"}}}", "runs a command"),
            ("{mcpServers: {}}", ""),
            ("{\"a\": 1} {}", ""),
        ] {
            let refused = merge(&entry(Host::ClaudeCode), text).unwrap_err();
            assert!(refused.0.contains(why), "{text}: {refused}");
        }
        let twice =
            "{\"mcpServers\": {\"countersign\": {\"httpUrl\": \"http://a/\", \"httpUrl\": \"http://b/\"}}}";
        let refused = merge(&entry(Host::Gemini), twice).unwrap_err();
        assert!(refused.0.contains("`httpUrl` stands in it twice"), "{refused}");
    }
}
