//! The hosts that read what was written for them.

use serde_json::Value;

use super::place::{Place, SERVER};

const URL: &str = "http://127.0.0.1:8421/api/v1/external-mcp";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The printed command as the host gets it from a shell.
fn arguments(recipe: &Value) -> Vec<String> {
    let command = recipe["commands"][0].as_str().unwrap();
    command.split(' ').skip(1).map(str::to_owned).collect()
}

fn read(place: &Place, file: &str) -> Value {
    json(&std::fs::read_to_string(place.file(file)).unwrap())
}

#[test]
fn claude_code_reads_what_is_written_and_writes_the_same_by_the_printed_command() {
    let place = Place::new();
    place.claude(&["mcp", "add", "--scope", "project", "--transport", "http", "other", SERVER]);
    assert_eq!(place.write("claude-code")["changed"], true);
    let told = place.claude(&["mcp", "get", "countersign"]);
    assert!(told.contains("Type: http") && told.contains(&format!("URL: {URL}")), "{told}");
    assert!(place.claude(&["mcp", "get", "other"]).contains(SERVER));

    let other = Place::new();
    let recipe = other.recipe("claude-code");
    let arguments = arguments(&recipe);
    other.claude(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let own = read(&other, "~/.claude.json");
    let own = own["projects"].as_object().unwrap().values().next().unwrap();
    assert_eq!(own["mcpServers"]["countersign"], read(&place, ".mcp.json")["mcpServers"]["countersign"]);
}

#[test]
fn codex_reads_what_is_written_and_writes_the_same_by_the_printed_command() {
    let place = Place::new();
    place.codex(&["mcp", "add", "other", "--url", SERVER]);
    assert_eq!(place.write("codex")["changed"], true);
    let listed = |place: &Place, name: &str| {
        let all = json(place.codex(&["mcp", "list", "--json"]).split("WARNING").next().unwrap());
        all.as_array().unwrap().iter().find(|server| server["name"] == name).cloned()
    };
    let server = listed(&place, "countersign").unwrap();
    assert_eq!(server["transport"]["url"], URL);
    assert_eq!((&server["transport"]["type"], &server["enabled"]), (&"streamable_http".into(), &true.into()));
    assert!(listed(&place, "other").is_some());

    let other = Place::new();
    let recipe = other.recipe("codex");
    let arguments = arguments(&recipe);
    other.codex(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(listed(&other, "countersign"), Some(server));
}

#[test]
fn gemini_cli_reads_what_is_written_and_writes_the_same_by_the_printed_command() {
    let place = Place::new();
    place.gemini(&["mcp", "add", "--transport", "http", "other", SERVER]);
    assert_eq!(place.write("gemini")["changed"], true);
    let told = place.gemini(&["mcp", "list"]);
    assert!(told.contains(&format!("countersign: {URL} (http)")), "{told}");
    assert!(told.contains(&format!("other: {SERVER} (http)")), "{told}");

    let other = Place::new();
    let recipe = other.recipe("gemini");
    let arguments = arguments(&recipe);
    other.gemini(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let servers = |place: &Place| read(place, ".gemini/settings.json")["mcpServers"]["countersign"].clone();
    assert_eq!(servers(&other), servers(&place));
}
