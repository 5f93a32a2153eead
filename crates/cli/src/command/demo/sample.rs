//! A small real repository: a few files, two branches, three commits.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use crate::failure::Failure;

const README: &str = "# Garden\n\nWhat grows where, and when to water it.\n";
const BEDS: &str = "north: beans, peas\nsouth: tomatoes\nwest: mint, and more mint\n";
const GUIDE: &str = "# Guide\n\nWater in the morning.\n";

/// Makes it below `folder`, and says where.
pub(super) async fn make(folder: &Path) -> Result<PathBuf, Failure> {
    let repository = folder.join("garden");
    std::fs::create_dir(&repository).map_err(Failure::server)?;
    git(&repository, &["init", "--quiet", "--initial-branch=main"]).await?;
    commit(&repository, "README.md", README, "Say what this is").await?;
    commit(&repository, "beds.txt", BEDS, "List the beds").await?;
    git(&repository, &["checkout", "--quiet", "-b", "docs"]).await?;
    commit(&repository, "guide.md", GUIDE, "Begin a guide").await?;
    git(&repository, &["checkout", "--quiet", "main"]).await?;
    Ok(repository)
}

async fn commit(repository: &Path, path: &str, text: &str, message: &str) -> Result<(), Failure> {
    std::fs::write(repository.join(path), text).map_err(Failure::server)?;
    git(repository, &["add", path]).await?;
    git(repository, &["commit", "--quiet", "--message", message]).await
}

#[expect(
    clippy::disallowed_methods,
    reason = "the demo makes a repository as its owner would, by git's commands"
)]
async fn git(repository: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let identity =
        ["-c", "user.name=Gardener", "-c", "user.email=gardener@example.com", "-c", "commit.gpgSign=false"];
    let mut command = Command::new("git");
    command.args(identity).args(arguments).current_dir(repository).stdin(Stdio::null());
    let output = command.output().await.map_err(Failure::server)?;
    if output.status.success() {
        return Ok(());
    }
    Err(Failure::demo(format!(
        "git {}: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    )))
}
