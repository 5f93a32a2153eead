//! Stories that Debian's Chromium plays, told by Node and Playwright (`tests/e2e/pages`).

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

/// Plays a story of `tests/e2e`; the test fails when it does. Its pictures stand in `target/looks`.
///
/// # Panics
/// With what it told, when the story fails.
pub async fn tell(story: &str, variables: &[(&str, &str)]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pictures = root.join("target/looks");
    std::fs::create_dir_all(&pictures).expect("the folder of pictures can be made");
    let folder = root.join("tests/e2e");
    let told = Command::new(folder.join("node_modules/.bin/node"))
        .args(["--test", "--test-reporter=spec", story])
        .current_dir(&folder)
        .env("SCREENSHOTS", pictures)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .expect("Node is there: scripts/setup-node.sh installs it");
    assert!(
        told.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&told.stdout),
        String::from_utf8_lossy(&told.stderr)
    );
}
