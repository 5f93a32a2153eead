//! HEAD: the branch that a clone checks out.

use countersign_core::gitnest::branch::BranchName;

use crate::create::blocking;
use crate::error::Result;
use crate::host::GitHost;
use crate::lock::RepoLock;
use crate::process::Limits;
use crate::repo::sync_file_system;

impl GitHost {
    /// Lets HEAD name `branch`, and makes that survive a power cut. Any hold on the repository will do.
    pub async fn point_head(&self, lock: &RepoLock, branch: &BranchName) -> Result<()> {
        let command = self.write_command(lock, "symbolic-ref")?.args(["HEAD", &branch.full()]);
        command.succeed(Vec::new(), Limits::SHORT).await?;
        let path = self.path(lock.repository());
        blocking(move || sync_file_system(&path)).await
    }
}
