//! The hosts that are in no registry: their files are held against what they document.
//!
//! VS Code (code.visualstudio.com, "MCP configuration reference"): `.vscode/mcp.json` holds `servers`, each of them
//! by HTTP with `type` "http" and `url`; `code --add-mcp` takes the same members and `name`. Cursor (cursor.com,
//! "Model Context Protocol"): `.cursor/mcp.json` holds `mcpServers`, each remote one with `url`.

use std::process::Command;

use serde_json::{Value, json};

use super::place::Place;

const URL: &str = "http://127.0.0.1:8421/api/v1/external-mcp";

/// The file as the parser of VS Code's makers reads it: comments are allowed, errors are not.
fn read(place: &Place, file: &str) -> Value {
    let script = "const { parse } = require('./hosts/node_modules/jsonc-parser'); const errors = [];\
        const read = parse(require('fs').readFileSync(process.argv[1], 'utf8'), errors, { allowTrailingComma: true });\
        if (errors.length) throw new Error(JSON.stringify(errors)); console.log(JSON.stringify(read));";
    let e2e = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/e2e");
    let output = Command::new("node_modules/.bin/node")
        .args(["-e", script])
        .arg(place.file(file))
        .current_dir(e2e)
        .env_clear()
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn vs_code_finds_the_server_beside_what_it_had() {
    let place = Place::new();
    place.put(
        ".vscode/mcp.json",
        "{\n  // mine\n  \"inputs\": [],\n  \"servers\": { \"a\": { \"command\": \"x\" }, },\n}\n",
    );
    assert_eq!(place.write("vscode")["changed"], true);
    let server = json!({ "type": "http", "url": URL });
    let expected = json!({ "inputs": [], "servers": { "a": { "command": "x" }, "countersign": server } });
    assert_eq!(read(&place, ".vscode/mcp.json"), expected);
    assert!(std::fs::read_to_string(place.file(".vscode/mcp.json")).unwrap().contains("// mine"));

    let recipe = place.recipe("vscode");
    let command = recipe["commands"][0].as_str().unwrap();
    let given = command.strip_prefix("code --add-mcp '").unwrap().strip_suffix('\'').unwrap();
    let given: Value = serde_json::from_str(given).unwrap();
    assert_eq!(given, json!({ "name": "countersign", "type": "http", "url": URL }));
}

#[test]
fn cursor_finds_the_server_beside_what_it_had() {
    let place = Place::new();
    place.put(".cursor/mcp.json", r#"{"mcpServers":{"a":{"url":"https://a.example/mcp"}}}"#);
    assert_eq!(place.write("cursor")["changed"], true);
    let servers = json!({ "a": { "url": "https://a.example/mcp" }, "countersign": { "url": URL } });
    assert_eq!(read(&place, ".cursor/mcp.json"), json!({ "mcpServers": servers }));
    assert_eq!(
        place.recipe("cursor")["commands"],
        json!([]),
        "Cursor documents no command that adds a server"
    );
}
