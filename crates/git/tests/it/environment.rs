//! What a git of ours learns from the environment of its server: nothing.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use countersign_git::process::Git;

/// What would lead a git elsewhere, or run something: proxies, folders, programs, configuration.
const LEADING: [(&str, &str); 9] = [
    ("https_proxy", "http://127.0.0.1:9"),
    ("ALL_PROXY", "http://127.0.0.1:9"),
    ("GIT_DIR", "/nonexistent"),
    ("GIT_EXEC_PATH", "/nonexistent"),
    ("GIT_SSH_COMMAND", "false"),
    ("GIT_CONFIG_COUNT", "1"),
    ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "/nonexistent"),
    ("GIT_TRACE", "/nonexistent"),
    ("COUNTERSIGN_TOKEN", "secret"),
];
/// Names the file that the second run of the test leaves.
const LEFT: &str = "LEFT_BY_THE_SECOND_RUN";

/// In the first run it starts itself with that environment; in the second it starts a git that writes down its own.
#[tokio::test]
async fn nothing_of_the_servers_environment_reaches_git() {
    if let Ok(left) = std::env::var(LEFT) {
        return write_down(Path::new(&left)).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join("left");
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "environment::nothing_of_the_servers_environment_reaches_git"]);
    let output = again.envs(LEADING).env(LEFT, &left).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let seen = std::fs::read_to_string(&left).unwrap();
    let names: Vec<&str> = seen.lines().filter_map(|line| line.split('=').next()).collect();
    assert!(names.contains(&"GIT_TERMINAL_PROMPT"), "{seen}");
    for (name, _) in LEADING {
        assert!(!names.contains(&name), "{name}");
    }
}

async fn write_down(left: &Path) {
    let script = left.with_file_name("git");
    let lines = format!("#!/bin/sh\nenv > {}\necho git version 2.47.3\n", left.display());
    std::fs::write(&script, lines).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    Git::find(Some(&script), left.with_file_name("hooks")).await.unwrap();
}
