//! Moving refs: one transaction, compared with what was seen, by one `git update-ref` process.
//!
//! Why git and not gix: docs/decisions/02-git-engine.md.

use std::future::Future;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines, Take};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

use crate::complaint::keep_beginning;
use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::lock::RepoLock;
use crate::process::Limits;
use crate::refs::{RefName, Refs};
use crate::repo::sync_file_system;
use crate::running::Running;

/// The subcommand that moves refs.
const COMMAND: &str = "update-ref";

/// How long a git that has moved the refs may take to end; it holds the repository's lock meanwhile.
const WAY_OUT: Duration = Duration::from_secs(1);

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
    /// Which ref, and what it must be before: `None` where it must not exist.
    const fn before(&self) -> (&RefName, Option<Oid>) {
        match self {
            Self::Create { name, .. } => (name, None),
            Self::Update { name, old, .. } | Self::Delete { name, old } | Self::Verify { name, old } => {
                (name, Some(*old))
            }
        }
    }

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
    /// Starts a transaction in the repository that `lock` holds. What it will move may still be in the making.
    fn start(&self, lock: &RepoLock) -> Result<Box<dyn Started>>;

    /// Makes all `edits`, in their order, at once.
    fn commit<'a>(&'a self, lock: &'a RepoLock, edits: &'a [RefEdit]) -> Committing<'a> {
        Box::pin(async move { self.start(lock)?.commit(edits.to_vec()).await })
    }
}

/// A transaction that was started and has moved nothing yet; dropped, it never will.
pub trait Started: Send {
    /// Makes all `edits`, in their order. What was written to the repository before survives a power cut before a ref
    /// names it.
    fn commit<'a>(self: Box<Self>, edits: Vec<RefEdit>) -> Committing<'a>;
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
}

impl RefTransaction for UpdateRef {
    fn start(&self, lock: &RepoLock) -> Result<Box<dyn Started>> {
        let (repository, held, inherited) = (lock.repository(), lock.share()?, lock.share()?);
        let (host, folder) = (self.host.clone(), self.host.path(repository));
        let place = folder.clone();
        let git = tokio::task::spawn_blocking(move || {
            let command = host.git().command(&place, COMMAND).args(["--no-deref", "--stdin"]);
            command.holding(inherited).start()
        });
        Ok(Box::new(Waiting { git, repository, folder, held }))
    }
}

/// A git that is being started and waits for what it shall move.
#[derive(Debug)]
struct Waiting {
    git: JoinHandle<Result<Running>>,
    repository: ResourceId,
    folder: PathBuf,
    /// The repository's lock once more: held until what was moved is on the disk.
    held: OwnedFd,
}

impl Waiting {
    async fn run(self, edits: Vec<RefEdit>) -> Result<RefOutcome> {
        let Self { git, repository, folder, held } = self;
        let place = folder.clone();
        // What the refs will name goes to the disk while git locks, compares and syncs its locks.
        let written = tokio::task::spawn_blocking(move || sync_file_system(&place));
        let talk = async {
            let git = git.await.map_err(|_| GitError::CutShort)??;
            talk(git, (repository, &folder), edits, written).await
        };
        let outcome = tokio::time::timeout(Limits::SHORT.time, talk)
            .await
            .map_err(|_| GitError::TimedOut { command: COMMAND.to_owned() })??;
        if outcome == RefOutcome::Done {
            blocking(move || {
                let _held = held;
                sync_file_system(&folder)
            })
            .await?;
        }
        Ok(outcome)
    }
}

impl Started for Waiting {
    fn commit<'a>(self: Box<Self>, edits: Vec<RefEdit>) -> Committing<'a> {
        Box::pin(async move {
            // A task of its own: a caller that hangs up does not kill git between two renames.
            tokio::spawn(self.run(edits)).await.map_err(|_| GitError::CutShort)?
        })
    }
}

/// Lets git lock and compare, compares once more, and has git move the refs once what they will name is `written`.
///
/// git may compare with a packed-refs file that it read before it took the locks: it takes a file of the same
/// inode, size and second for the same one. What is read anew while git holds the locks cannot be stale
/// (docs/decisions/02-git-engine.md).
async fn talk(
    mut git: Running,
    (repository, folder): (ResourceId, &Path),
    edits: Vec<RefEdit>,
    written: JoinHandle<Result<()>>,
) -> Result<RefOutcome> {
    let (Some(mut input), Some(output), errors) = git.take_streams() else {
        return Err(GitError::CutShort);
    };
    let errors = tokio::spawn(keep_beginning(errors));
    let mut said = BufReader::new(output.take(Limits::SHORT.stdout)).lines();
    let lines: String = edits.iter().map(RefEdit::line).collect();
    say(&mut input, &format!("start\n{lines}prepare\n")).await;
    let prepared = heard(&mut said, "prepare: ok").await?;
    if prepared {
        let may_move = async {
            let stands = stand(&Refs::at(repository, folder)?, &edits)?;
            written.await.map_err(|_| GitError::CutShort)??;
            Ok(stands)
        };
        let may_move = may_move.await;
        if !matches!(may_move, Ok(true)) {
            // Without a `commit`, git gives its locks back when its input ends.
            drop(input);
            git.wait().await.map_err(GitError::disk("wait for", COMMAND))?;
            return may_move.map(|_| RefOutcome::Conflict);
        }
        say(&mut input, "commit\n").await;
    }
    drop(input);
    if heard(&mut said, "commit: ok").await? {
        // The refs are moved, whatever becomes of git on its way out.
        tokio::spawn(async move { tokio::time::timeout(WAY_OUT, git.wait()).await.is_ok() });
        return Ok(RefOutcome::Done);
    }
    git.wait().await.map_err(GitError::disk("wait for", COMMAND))?;
    judge(prepared, errors.await.unwrap_or_default())
}

/// Writes to git. A git that refused has closed its input; what it says then is in its errors.
async fn say(input: &mut ChildStdin, text: &str) {
    let _ = input.write_all(text.as_bytes()).await;
    let _ = input.flush().await;
}

/// Reads on until git says `line`; `false` when it ends without.
async fn heard(said: &mut Lines<BufReader<Take<ChildStdout>>>, line: &str) -> Result<bool> {
    while let Some(found) = said.next_line().await.map_err(GitError::disk("listen to", COMMAND))? {
        if found == line {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether every ref is what its edit says it must be.
fn stand(refs: &Refs<'_>, edits: &[RefEdit]) -> Result<bool> {
    for edit in edits {
        let (name, old) = edit.before();
        if refs.find(name)? != old {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads why git refused. Once it was prepared, nobody can say what was done.
fn judge(prepared: bool, stderr: String) -> Result<RefOutcome> {
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
    Err(GitError::process(COMMAND, stderr))
}
