//! The one place that starts git: clean environment, fixed policy, own process group, limits.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use rustix::io::{FdFlags, fcntl_setfd};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::complaint::keep_beginning;
use crate::error::{GitError, Result};
use crate::running::Running;
use crate::version::GitVersion;

/// Where children look for programs; git finds its own parts by itself.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// How many bytes a git may ask for at once. A pack may say of eight megabytes that they become eight gigabytes, and git
/// takes what is no large file into memory whole. A table of ten million objects, and a file of 512 MiB that came as a
/// change to another one (git makes none of larger files), still fit.
const ALLOCATION: &str = "1g";

/// With fewer bytes than this on its disk, a git that failed did so for want of space.
const LEAST: u64 = 64 << 10;

/// The policy of every git that we start. It goes by `-c`, so that no repository's own
/// configuration can weaken it, and git hands it on to the processes that it starts.
const POLICY: &[&str] = &[
    // git's default leaves loose objects and refs to the page cache.
    "core.fsync=all",
    "core.fsyncMethod=fsync",
    // Maintenance is ours, under the repository's lock.
    "gc.auto=0",
    "maintenance.auto=false",
    "receive.autogc=false",
    // How long a ref's lock is waited for before it counts as stuck.
    "core.filesRefLockTimeout=1000",
    "core.packedRefsTimeout=1000",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.fsmonitor=false",
    "transfer.fsckObjects=true",
    "transfer.hideRefs=refs/proposals",
    "transfer.hideRefs=refs/results",
    "transfer.hideRefs=refs/changesets",
    "uploadpack.allowFilter=true",
    // Version 2 of the protocol gives any object by its id, whatever is said here; a partial clone needs that in
    // version 0 too.
    "uploadpack.allowAnySHA1InWant=true",
    "pack.threads=1",
    "pack.windowMemory=64m",
    "core.packedGitLimit=256m",
    "core.bigFileThreshold=16m",
    "protocol.allow=never",
];

/// While a descriptor is inheritable, every child gets it: whoever starts a git that shall inherit one is alone
/// then. There is no code of ours between fork and exec, so the standard library starts children by `posix_spawn`,
/// which copies no page tables (docs/decisions/02-git-engine.md).
static STARTING: RwLock<()> = RwLock::new(());

/// A git that was found and is new enough.
#[derive(Clone, Debug)]
pub struct Git {
    binary: PathBuf,
    hooks: PathBuf,
    version: GitVersion,
}

/// What a git may use up before it is stopped.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From start to end.
    pub time: Duration,
    /// Bytes of its standard output.
    pub stdout: u64,
}

impl Limits {
    /// For commands that answer a few lines.
    pub const SHORT: Self = Self { time: Duration::from_secs(30), stdout: 64 << 10 };
    /// For commands that copy or read a whole repository.
    pub const LONG: Self = Self { time: Duration::from_mins(10), stdout: 16 << 20 };
    /// For commands that pack a whole repository and say nothing.
    pub const TENDING: Self = Self { time: Duration::from_hours(1), stdout: 64 << 10 };
}

/// What a git that ended in time has said.
#[derive(Debug)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// All of its standard output.
    pub stdout: Vec<u8>,
    /// The beginning of its standard error.
    pub stderr: String,
}

impl Git {
    /// Finds git (`named`, or `git` on the path) and asks for its version.
    ///
    /// `hooks` is an empty folder of ours: hooks planted in a repository never run.
    pub async fn find(named: Option<&Path>, hooks: PathBuf) -> Result<Self> {
        let binary = match named {
            Some(path) => path.to_owned(),
            None => PATH
                .split(':')
                .map(|folder| Path::new(folder).join("git"))
                .find(|path| path.is_file())
                .ok_or_else(|| GitError::NoGit { found: "there is no git on this machine".into() })?,
        };
        let found = Self { binary, hooks, version: GitVersion::OLDEST };
        let asked = found.command(Path::new("/"), "version").run(Vec::new(), Limits::SHORT).await;
        let output = asked.map_err(|e| GitError::NoGit {
            found: format!("{} does not run ({e})", found.binary.display()),
        })?;
        let version = GitVersion::check(&String::from_utf8_lossy(&output.stdout))?;
        Ok(Self { version, ..found })
    }

    /// The release that was found.
    pub const fn version(&self) -> GitVersion {
        self.version
    }

    /// A git subcommand in `folder`, which is the only one that git may take for safe.
    pub fn command(&self, folder: &Path, name: &'static str) -> GitCommand<'_> {
        GitCommand {
            git: self,
            folder: folder.to_owned(),
            name,
            config: vec![
                format!("safe.directory={}", folder.display()).into(),
                format!("core.hooksPath={}", self.hooks.display()).into(),
            ],
            args: Vec::new(),
            env: Vec::new(),
            locks: Vec::new(),
        }
    }
}

/// A git that is about to be started.
#[derive(Debug)]
pub struct GitCommand<'g> {
    git: &'g Git,
    folder: PathBuf,
    name: &'static str,
    config: Vec<OsString>,
    args: Vec<OsString>,
    env: Vec<(&'static str, OsString)>,
    locks: Vec<OwnedFd>,
}

impl GitCommand<'_> {
    /// Adds `-c key=value` to the policy.
    #[must_use]
    pub fn config(mut self, pair: impl Into<OsString>) -> Self {
        self.config.push(pair.into());
        self
    }

    /// Adds an argument after the subcommand.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments after the subcommand.
    #[must_use]
    pub fn args<'a>(mut self, args: impl IntoIterator<Item = &'a str>) -> Self {
        self.args.extend(args.into_iter().map(OsString::from));
        self
    }

    /// Sets one more variable of the otherwise clean environment.
    #[must_use]
    pub fn env(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    /// Lets the child inherit a lock of the repository: as long as it or anything that it started
    /// lives, the lock is held, even when this server is killed in between.
    #[must_use]
    pub(crate) fn holding(mut self, lock: OwnedFd) -> Self {
        self.locks.push(lock);
        self
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one place that starts git")]
    fn build(&self) -> std::process::Command {
        let mut command = std::process::Command::new(&self.git.binary);
        command
            .env_clear()
            .envs([("PATH", PATH), ("HOME", "/nonexistent"), ("LC_ALL", "C"), ("GIT_TERMINAL_PROMPT", "0")])
            .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
            .envs([("GIT_NO_REPLACE_OBJECTS", "1"), ("GIT_NO_LAZY_FETCH", "1")])
            .env("GIT_ALLOC_LIMIT", ALLOCATION)
            // A folder that is no repository is an error, not a reason to look above it.
            .envs(self.folder.parent().map(|above| ("GIT_CEILING_DIRECTORIES", above.as_os_str())))
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        for pair in POLICY {
            command.args(["-c", pair]);
        }
        for pair in &self.config {
            command.arg("-c").arg(pair);
        }
        command.arg(self.name).args(&self.args).current_dir(&self.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        command
    }

    /// Starts git with pipes on all three streams; dropping the answer ends its process group.
    pub fn start(self) -> Result<Running> {
        let mut command = tokio::process::Command::from(self.build());
        command.kill_on_drop(true);
        let child = if self.locks.is_empty() {
            let _others = STARTING.read().unwrap_or_else(PoisonError::into_inner);
            command.spawn()
        } else {
            let _alone = STARTING.write().unwrap_or_else(PoisonError::into_inner);
            let inherited = self.locks.iter().try_for_each(|lock| fcntl_setfd(lock, FdFlags::empty()));
            let child = inherited.map_err(Into::into).and_then(|()| command.spawn());
            // Closed before anyone else may start a child.
            drop(self.locks);
            child
        };
        Ok(Running::new(child.map_err(GitError::disk("start", self.git.binary.clone()))?, self.name))
    }

    /// Runs git to its end, whatever its status, within `limits`.
    pub async fn run(self, stdin: Vec<u8>, limits: Limits) -> Result<Output> {
        let name = self.name;
        let mut running = self.start()?;
        let work = converse(&mut running, stdin, limits.stdout);
        match tokio::time::timeout(limits.time, work).await {
            Ok(done) => done.map_err(|e| match e {
                Cut::TooMuch => GitError::TooMuch { what: "the output of git" },
                Cut::Disk(source) => GitError::Disk { action: "talk to git", path: name.into(), source },
            }),
            Err(_) => Err(GitError::TimedOut { command: name.to_owned() }),
        }
    }

    /// Runs git to its end; a status other than zero is an error with what git said.
    pub async fn succeed(self, stdin: Vec<u8>, limits: Limits) -> Result<Output> {
        let (name, folder) = (self.name, self.folder.clone());
        let output = self.run(stdin, limits).await?;
        if output.status.success() {
            return Ok(output);
        }
        // Where git writes its configuration it does not say what the system said.
        if is_full(&folder) {
            return Err(GitError::Full { action: format!("run git {name}"), source: output.stderr.into() });
        }
        Err(GitError::process(name, output.stderr))
    }
}

/// Whether there is hardly a block left where a folder is.
fn is_full(folder: &Path) -> bool {
    rustix::fs::statvfs(folder).is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < LEAST)
}

enum Cut {
    TooMuch,
    Disk(std::io::Error),
}

/// Feeds stdin while both outputs are read: neither side may wait for the other.
async fn converse(running: &mut Running, stdin: Vec<u8>, most: u64) -> std::result::Result<Output, Cut> {
    let (input, output, errors) = running.take_streams();
    let feed = async move {
        // A git that refuses early closes its input; what it says then is in its status.
        if let Some(mut input) = input {
            let _ = input.write_all(&stdin).await;
            let _ = input.shutdown().await;
        }
        Ok(())
    };
    let read = async move {
        let mut kept = Vec::new();
        if let Some(output) = output {
            output.take(most + 1).read_to_end(&mut kept).await.map_err(Cut::Disk)?;
        }
        if kept.len() as u64 > most { Err(Cut::TooMuch) } else { Ok(kept) }
    };
    let complain = async move { Ok(keep_beginning(errors).await) };
    let ((), stdout, stderr) = tokio::try_join!(feed, read, complain)?;
    let status = running.wait().await.map_err(Cut::Disk)?;
    Ok(Output { status, stdout, stderr })
}
