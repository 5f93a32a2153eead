//! Upkeep without a pause: the very code that the timer calls, with everything due and nothing kept for later.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use countersign_core::id::ResourceId;
use countersign_core::time::Timestamp;
use countersign_git::GitHost;
use countersign_git::error::GitError;
use countersign_git::lock::{Hold, PATIENCE};
use countersign_git::maintain::Due;
use countersign_git::transaction::UpdateRef;
use tokio::process::Command;

use crate::server::binary;

/// The first argument of a process that tends one repository and ends.
pub const TEND: &str = "tend";

/// Prunes what nothing reaches, and repacks the rest; fails where another one holds the repository for too long.
pub async fn tend(host: &GitHost, id: ResourceId) -> Result<(), GitError> {
    let objects = host.lock_objects(id, PATIENCE).await?;
    let lock = host.lock(id, Hold::Exclusive).await?;
    let (locks, what) = ((&lock, Some(&objects)), (Due::ALL, Duration::ZERO));
    let refs = UpdateRef::new(host.clone());
    host.maintain(locks, &refs, what, Timestamp::from_millis(0)).await.map(drop)
}

/// A process that does so once, with this git and these variables.
pub fn process(root: &Path, id: &str, git: &Path, variables: &BTreeMap<String, String>) -> Command {
    let mut command = Command::new(binary("testkit-server"));
    command.arg(TEND).args([root, Path::new(id), git]).envs(variables).kill_on_drop(true);
    command
}

/// What that process does.
pub async fn serve(arguments: &[String]) -> Result<(), GitError> {
    let [root, id, git] = arguments else { panic!("a folder, an id and a git") };
    let host = GitHost::open(Path::new(root), Some(Path::new(git))).await?;
    tend(&host, ResourceId::parse(id).expect("an id")).await
}
