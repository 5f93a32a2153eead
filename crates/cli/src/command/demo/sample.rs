//! A small real repository: a few files, two branches, three commits.

use std::path::{Path, PathBuf};

use super::git::git;
use crate::failure::Failure;

const README: &str = "# Garden\n\nWhat grows where, and when to water it.\n";
const BEDS: &str = "north: beans, peas\nsouth: tomatoes\nwest: mint, and more mint\n";
const GUIDE: &str = "# Guide\n\nWater in the morning.\n";

/// Makes it below `folder`, and says where.
pub(super) async fn make(folder: &Path) -> Result<PathBuf, Failure> {
    let repository = folder.join("garden");
    std::fs::create_dir(&repository).map_err(Failure::server)?;
    run(&repository, &["init", "--quiet", "--initial-branch=main"]).await?;
    commit(&repository, "README.md", README, "Say what this is").await?;
    commit(&repository, "beds.txt", BEDS, "List the beds").await?;
    run(&repository, &["checkout", "--quiet", "-b", "docs"]).await?;
    commit(&repository, "guide.md", GUIDE, "Begin a guide").await?;
    run(&repository, &["checkout", "--quiet", "main"]).await?;
    Ok(repository)
}

async fn commit(repository: &Path, path: &str, text: &str, message: &str) -> Result<(), Failure> {
    std::fs::write(repository.join(path), text).map_err(Failure::server)?;
    run(repository, &["add", path]).await?;
    run(repository, &["commit", "--quiet", "--message", message]).await
}

async fn run(repository: &Path, arguments: &[&str]) -> Result<(), Failure> {
    git(repository, arguments, "").await.map(drop)
}
