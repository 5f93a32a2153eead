//! Importing a repository: every branch and tag of another one, copied into quarantine, checked, renamed to its place.

mod fetching;
mod folder;
mod remote;

use std::ffi::OsString;
use std::future::Future;
use std::path::Path;
use std::time::Duration;

use countersign_core::gitnest::branch::BranchName;
use countersign_core::id::ResourceId;

pub use fetching::Progress;
pub use remote::Remote;

use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::lock::{Hold, RepoLock};
use crate::process::{GitCommand, Limits};
use crate::repo::Repo;
use crate::running::GRACE;

/// What many old repositories hold and no reader minds.
const FORGIVEN: [&str; 3] = ["badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode"];

/// What a folder and what a stranger may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Until the other side says what it has.
    pub answer: Duration,
    /// From the first byte to the last.
    pub time: Duration,
    /// Bytes on disk.
    pub size: u64,
}

impl Bounds {
    /// A folder of this machine, which an owner of the workspace named.
    const FOLDER: Self = Self { size: u64::MAX, ..Self::REMOTE };
    /// A repository of a stranger.
    pub const REMOTE: Self =
        Self { answer: Duration::from_secs(30), time: Duration::from_mins(10), size: 2 << 30 };
}

/// Where a repository is copied from.
struct Source {
    /// A URL: it is never taken for an option or for a folder to borrow objects from.
    address: String,
    /// More policy for the reading side.
    config: Vec<OsString>,
    /// More of its environment.
    env: Vec<(&'static str, OsString)>,
    /// What is looked at when all of it is there.
    check: Check,
}

/// How often a quarantine is removed until it is gone.
const REMOVALS: u32 = 10;

/// What is looked at beside what git checks of a pack as it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    /// Nothing is missing.
    Connections,
    /// Each object once more: a server that is no git sends files instead of a pack, and git takes these as they are.
    Everything,
}

impl GitHost {
    /// Imports what `source` names; it is asked for once there is a quarantine.
    async fn import<F: Future<Output = Result<Source>>>(
        &self,
        id: ResourceId,
        bounds: Bounds,
        tell: impl Fn(Progress) + Send + Sync,
        source: impl FnOnce(&Path) -> F,
    ) -> Result<BranchName> {
        let lock = self.lock(id, Hold::Exclusive).await?;
        if !self.exists(id) {
            let quarantine = self.quarantine(&lock)?;
            let copied =
                async { self.copy((&lock, &quarantine), &source(&quarantine).await?, bounds, tell).await };
            let copied = tokio::time::timeout(bounds.time, copied).await;
            if let Err(error) = copied.unwrap_or_else(|_| Err(GitError::Import(too_slow(bounds)))) {
                // The next try would do so too; until then it takes room for nothing.
                remove(&quarantine).await;
                return Err(error);
            }
            self.settle(&lock, quarantine).await?;
        }
        self.with(id, Repo::head_branch).await?.ok_or(GitError::Missing(id))
    }

    /// Removes what an import left that was ended from outside; one that goes on keeps the lock.
    pub async fn forget_import(&self, id: ResourceId) -> Result<()> {
        let _lock = self.lock(id, Hold::Exclusive).await?;
        remove(&self.unfinished(id)).await;
        Ok(())
    }

    async fn copy(
        &self,
        (lock, quarantine): (&RepoLock, &Path),
        source: &Source,
        bounds: Bounds,
        tell: impl Fn(Progress) + Send + Sync,
    ) -> Result<()> {
        let head = self.head_of((lock, quarantine), source, bounds.answer).await?;
        self.init(quarantine, head.as_ref().unwrap_or(&BranchName::parse("main").map_err(unnamed)?)).await?;
        let mut fetch = self.reader((lock, quarantine), "fetch", source)?;
        for what in FORGIVEN {
            fetch = fetch.config(format!("fetch.fsck.{what}=ignore"));
        }
        fetching::run(fetch, (&source.address, quarantine), bounds, &tell).await?;
        let (folder, id) = (quarantine.to_owned(), lock.repository());
        let branch = blocking(move || choose(&Repo::open(id, &folder)?, head)).await?;
        let head = self.git().command(quarantine, "symbolic-ref").args(["HEAD", &branch.full()]);
        head.succeed(Vec::new(), Limits::SHORT).await?;
        tell(Progress::Checking);
        let mut fsck = self.git().command(quarantine, "fsck").args(["--no-dangling", "--no-progress"]);
        fsck = match source.check {
            Check::Connections => fsck.arg("--connectivity-only"),
            Check::Everything => FORGIVEN
                .iter()
                .fold(fsck.arg("--strict"), |fsck, what| fsck.config(format!("fsck.{what}=ignore"))),
        };
        fsck.succeed(Vec::new(), Limits::LONG).await.map_err(refused)?;
        for (_, file) in &source.env {
            let file = Path::new(file);
            if file.starts_with(quarantine) {
                std::fs::remove_file(file).map_err(GitError::disk("remove", file))?;
            }
        }
        Ok(())
    }

    /// A git that reads the source. It keeps the lock: an orphan of a server that was killed holds off the next try.
    fn reader(
        &self,
        (lock, quarantine): (&RepoLock, &Path),
        name: &'static str,
        source: &Source,
    ) -> Result<GitCommand<'_>> {
        let mut command = self.git().command(quarantine, name).holding(lock.share()?);
        for pair in &source.config {
            command = command.config(pair.clone());
        }
        for (name, value) in &source.env {
            command = command.env(name, value.clone());
        }
        Ok(command)
    }

    /// The branch that the source's HEAD names, where it has a name that we take.
    async fn head_of(
        &self,
        place: (&RepoLock, &Path),
        source: &Source,
        time: Duration,
    ) -> Result<Option<BranchName>> {
        let command = self.reader(place, "ls-remote", source)?;
        let command = command.args(["--symref", "--", &source.address, "HEAD"]);
        let limits = Limits { time, ..Limits::SHORT };
        let output = command.succeed(Vec::new(), limits).await.map_err(|error| {
            if matches!(error, GitError::TimedOut { .. }) {
                GitError::Import(silent(time))
            } else {
                refused(error)
            }
        })?;
        let text = String::from_utf8_lossy(&output.stdout);
        let name =
            text.lines().find_map(|line| line.strip_prefix("ref: refs/heads/")?.strip_suffix("\tHEAD"));
        Ok(name.and_then(|name| BranchName::parse(name).ok()))
    }
}

fn silent(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("it did not answer within {seconds} seconds; look whether the address is right, then try again")
}

fn too_slow(bounds: Bounds) -> String {
    let minutes = bounds.time.as_secs() / 60;
    format!(
        "it took more than {minutes} minutes; try again, or import it from a folder of the server's machine"
    )
}

/// Removes a quarantine. A git that was told to end may write to it a moment longer.
async fn remove(quarantine: &Path) {
    for _ in 0..REMOVALS {
        let _ = std::fs::remove_dir_all(quarantine);
        tokio::time::sleep(GRACE).await;
        if !quarantine.exists() {
            return;
        }
    }
    tracing::warn!(folder = %quarantine.display(), "what a failed import left is removed by the next one");
}

/// The branch that is protected and shown first: the source's own, a usual one, the first by name.
fn choose(repo: &Repo, head: Option<BranchName>) -> Result<BranchName> {
    let usual = ["main", "master"].into_iter().filter_map(|name| BranchName::parse(name).ok());
    for branch in head.into_iter().chain(usual) {
        if repo.tip(&branch)?.is_some() {
            return Ok(branch);
        }
    }
    let first = repo.branches()?.items.into_iter().next().map(|branch| branch.name);
    first.ok_or_else(|| {
        let reason = "it has no branch with a commit and all of its history; commit something first, or run \
                      `git fetch --unshallow` in it where it is a shallow clone";
        GitError::Import(reason.into())
    })
}

/// What git said, as the reason of a refused import.
fn refused(error: GitError) -> GitError {
    let GitError::Process { stderr, .. } = error else { return error };
    if stderr.contains("mismatched algorithms") {
        return GitError::Import("its objects are SHA-256; only SHA-1 repositories can be imported".into());
    }
    GitError::Import(format!("git refused it ({stderr}); mend that and try again"))
}

fn unnamed(rule: countersign_core::gitnest::branch::NotABranchName) -> GitError {
    GitError::Import(rule.to_string())
}
