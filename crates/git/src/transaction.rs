//! Moving refs: one transaction, compared with what was seen, by one `git update-ref` process.
//!
//! Why git and not gix: docs/decisions/02-git-engine.md.

use std::future::Future;
use std::os::fd::OwnedFd;
use std::pin::Pin;

use countersign_core::gitnest::oid::Oid;

use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::lock::RepoLock;
use crate::process::Limits;
use crate::refs::RefName;
use crate::repo::sync_file_system;

/// One line of a transaction. Every line says what the ref must be before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefEdit {
    /// The ref must not exist, and is made.
    Create {
        /// Which ref.
        name: RefName,
        /// What it will point at.
        new: Oid,
    },
    /// The ref must point at `old`, and is moved.
    Update {
        /// Which ref.
        name: RefName,
        /// What it will point at.
        new: Oid,
        /// What it must point at now.
        old: Oid,
    },
    /// The ref must point at `old`, and is removed.
    Delete {
        /// Which ref.
        name: RefName,
        /// What it must point at now.
        old: Oid,
    },
    /// The ref must point at `old`, and stays.
    Verify {
        /// Which ref.
        name: RefName,
        /// What it must point at now.
        old: Oid,
    },
}

impl RefEdit {
    fn line(&self) -> String {
        match self {
            Self::Create { name, new } => format!("create {} {new}\n", name.full()),
            Self::Update { name, new, old } => format!("update {} {new} {old}\n", name.full()),
            Self::Delete { name, old } => format!("delete {} {old}\n", name.full()),
            Self::Verify { name, old } => format!("verify {} {old}\n", name.full()),
        }
    }
}

/// How a transaction ended. An error is a fourth end: nobody knows, look at the refs again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefOutcome {
    /// All edits are made, in the order in which they were given, and survive a power cut.
    Done,
    /// Nothing was changed: a ref was not what an edit said. Look up what it is.
    Conflict,
    /// Nothing was changed: a ref's lock file stayed. Try again, after a sweep if it is stale.
    Locked,
}

/// The answer of a transaction, to be waited for.
pub type Committing<'a> = Pin<Box<dyn Future<Output = Result<RefOutcome>> + Send + 'a>>;

/// Moves refs, all or none as far as the files backend can.
pub trait RefTransaction: Send + Sync {
    /// Makes all `edits` in the repository that `lock` holds, in their order.
    fn commit<'a>(&'a self, lock: &'a RepoLock, edits: &'a [RefEdit]) -> Committing<'a>;
}

/// The transaction that ships: `git update-ref --stdin`, one process each.
#[derive(Clone, Debug)]
pub struct UpdateRef {
    host: GitHost,
}

impl UpdateRef {
    /// Moves refs of the repositories of `host`.
    pub const fn new(host: GitHost) -> Self {
        Self { host }
    }

    async fn run(self, repository: std::path::PathBuf, lock: OwnedFd, script: String) -> Result<RefOutcome> {
        let held = lock.try_clone().map_err(GitError::disk("duplicate the lock of", &repository))?;
        let command =
            self.host.git().command(&repository, "update-ref").args(["--no-deref", "--stdin"]).holding(lock);
        let output = command.run(script.into_bytes(), Limits::SHORT).await?;
        let said = String::from_utf8_lossy(&output.stdout);
        if !(output.status.success() && said.lines().any(|line| line == "commit: ok")) {
            return judge(&said, output.stderr);
        }
        let sync = tokio::task::spawn_blocking(move || {
            // Held until what was moved is on the disk.
            let _held = held;
            sync_file_system(&repository)
        });
        sync.await.map_err(|_| GitError::CutShort)??;
        Ok(RefOutcome::Done)
    }
}

impl RefTransaction for UpdateRef {
    fn commit<'a>(&'a self, lock: &'a RepoLock, edits: &'a [RefEdit]) -> Committing<'a> {
        Box::pin(async move {
            let mut script = String::from("start\n");
            for edit in edits {
                script.push_str(&edit.line());
            }
            script.push_str("prepare\ncommit\n");
            let path = self.host.path(lock.repository());
            // A task of its own: a caller that hangs up does not kill git between two renames.
            let task = tokio::spawn(self.clone().run(path, lock.share()?, script));
            task.await.map_err(|_| GitError::CutShort)?
        })
    }
}

/// Reads why git refused. Once it was prepared, nobody can say what was done.
fn judge(said: &str, stderr: String) -> Result<RefOutcome> {
    let prepared = said.lines().any(|line| line == "prepare: ok");
    let refused = |texts: &[&str]| !prepared && texts.iter().any(|text| stderr.contains(text));
    if refused(&[".lock': File exists"]) {
        return Ok(RefOutcome::Locked);
    }
    if refused(&[
        "but expected",
        "reference already exists",
        "unable to resolve reference",
        "reference is missing",
    ]) {
        return Ok(RefOutcome::Conflict);
    }
    Err(GitError::Process { command: "update-ref".into(), stderr })
}
