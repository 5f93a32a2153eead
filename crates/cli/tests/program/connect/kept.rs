//! A file of another program: written once, never lost.

use super::place::Place;

const HOSTS: [(&str, &str); 5] = [
    ("claude-code", ".mcp.json"),
    ("codex", "~/.codex/config.toml"),
    ("gemini", ".gemini/settings.json"),
    ("vscode", ".vscode/mcp.json"),
    ("cursor", ".cursor/mcp.json"),
];

#[test]
fn the_file_is_named_and_a_second_time_changes_nothing() {
    for (host, file) in HOSTS {
        let place = Place::new();
        let wrote = place.write(host);
        let path = wrote["path"].as_str().unwrap();
        assert_eq!(place.work().join(path), place.file(file), "{host}");
        assert_eq!(wrote["changed"], true, "{host}");
        let first = std::fs::read_to_string(place.file(file)).unwrap();
        assert_eq!(
            first.trim_end(),
            place.recipe(host)["setting"].as_str().unwrap(),
            "{host}: printed and written"
        );
        assert_eq!(place.write(host)["changed"], false, "{host}");
        assert_eq!(std::fs::read_to_string(place.file(file)).unwrap(), first, "{host}");
    }
}

#[test]
fn a_file_that_is_not_understood_is_left_as_it_is() {
    for (host, file) in HOSTS {
        let place = Place::new();
        place.put(file, "{ \"half\": ");
        let (good, told) = place.countersign(&["connect", host, "--write"]);
        assert!(!good, "{host}");
        assert_eq!(told["code"], "file_unreadable", "{host}: {told}");
        assert_eq!(std::fs::read_to_string(place.file(file)).unwrap(), "{ \"half\": ", "{host}");
    }
}

#[test]
fn a_name_that_would_end_a_command_is_refused() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_countersign"))
        .args(["connect", "codex", "--name", "a; rm -rf /"])
        .env_clear()
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}
