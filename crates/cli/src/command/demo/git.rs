//! git, as a person at a terminal runs it.

use std::path::Path;
use std::process::{Output, Stdio};

use tokio::process::Command;

use crate::failure::Failure;

/// Answers git's question for a password with the token in the environment, where no list of processes shows it.
const HELPER: &str = "credential.helper=!f() { echo username=owner; echo \"password=$DEMO_TOKEN\"; }; f";

/// Runs git in a folder; what it printed. `token` is the password that it may give.
pub(super) async fn git(folder: &Path, arguments: &[&str], token: &str) -> Result<String, Failure> {
    let output = run(folder, arguments, token).await?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::demo(format!("git {}: {}", arguments.join(" "), said.trim())))
}

/// Runs git where it is to be refused; the first line that the server said.
pub(super) async fn refused(folder: &Path, arguments: &[&str], token: &str) -> Result<String, Failure> {
    let output = run(folder, arguments, token).await?;
    let said = String::from_utf8_lossy(&output.stderr);
    let line =
        said.lines().find_map(|line| line.strip_prefix("remote: ")).filter(|_| !output.status.success());
    let missing = || Failure::demo(format!("git {} was not refused: {}", arguments.join(" "), said.trim()));
    Ok(line.ok_or_else(missing)?.trim().to_owned())
}

#[expect(clippy::disallowed_methods, reason = "the demo runs git as its owner would")]
async fn run(folder: &Path, arguments: &[&str], token: &str) -> Result<Output, Failure> {
    let person =
        ["-c", "user.name=Gardener", "-c", "user.email=gardener@example.com", "-c", "commit.gpgSign=false"];
    let mut command = Command::new("git");
    command.args(person).args(["-c", "credential.helper=", "-c", HELPER]).args(arguments);
    command.env("DEMO_TOKEN", token).env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    command.current_dir(folder).stdin(Stdio::null()).output().await.map_err(Failure::server)
}
