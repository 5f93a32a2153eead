//! Importing a repository from a folder of this machine: every branch and tag, copied and checked.
//!
//! git's own upload-pack reads the folder, so its hooks, filters and configuration do nothing,
//! and no object is borrowed from it or shared with it.

use std::path::{Path, PathBuf};

use countersign_core::gitnest::branch::BranchName;
use countersign_core::id::ResourceId;

use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::lock::Hold;
use crate::process::{GitCommand, Limits};
use crate::refs::Branches;
use crate::repo::Repo;

/// What many old repositories hold and no reader minds.
const FORGIVEN: [&str; 3] = [
    "fetch.fsck.badTimezone=ignore",
    "fetch.fsck.missingSpaceBeforeDate=ignore",
    "fetch.fsck.zeroPaddedFilemode=ignore",
];

impl GitHost {
    /// Copies every branch and tag of the repository at `source` (a work tree or a bare one) and
    /// answers its default branch.
    ///
    /// Imported before, it stays as it is. Like [`Self::create`], it leaves nothing half.
    pub async fn import_folder(&self, id: ResourceId, source: &Path) -> Result<BranchName> {
        let lock = self.lock(id, Hold::Exclusive).await?;
        if !self.exists(id) {
            let source = blocking({
                let source = source.to_owned();
                move || find_source(&source)
            })
            .await?;
            let quarantine = self.quarantine(&lock)?;
            let trust = trust(&quarantine, &source)?;
            let head = self.head_of(&quarantine, &source, &trust).await?;
            self.init(&quarantine, head.as_ref().unwrap_or(&BranchName::parse("main").map_err(unnamed)?))
                .await?;
            self.fetch(&quarantine, &source, &trust).await?;
            let branches = blocking({
                let folder = quarantine.clone();
                move || Repo::open(id, &folder)?.branches()
            })
            .await?;
            let branch = choose(&branches, head)?;
            let head = self.git().command(&quarantine, "symbolic-ref").args(["HEAD", &branch.full()]);
            head.succeed(Vec::new(), Limits::SHORT).await?;
            let fsck = self.git().command(&quarantine, "fsck").args([
                "--connectivity-only",
                "--no-dangling",
                "--no-progress",
            ]);
            fsck.succeed(Vec::new(), Limits::LONG).await.map_err(refused)?;
            std::fs::remove_file(&trust).map_err(GitError::disk("remove", trust))?;
            self.settle(&lock, quarantine).await?;
        }
        self.with(id, Repo::head_branch).await?.ok_or(GitError::Missing(id))
    }

    fn reader(&self, quarantine: &Path, name: &'static str, trust: &Path) -> GitCommand<'_> {
        let command = self.git().command(quarantine, name).env("GIT_CONFIG_GLOBAL", trust);
        command.config("protocol.file.allow=always")
    }

    /// The branch that the source's HEAD names, where it has a name that we take.
    async fn head_of(&self, quarantine: &Path, source: &Path, trust: &Path) -> Result<Option<BranchName>> {
        let command = self
            .reader(quarantine, "ls-remote", trust)
            .args(["--symref", "--"])
            .arg(address(source))
            .arg("HEAD");
        let output = command.succeed(Vec::new(), Limits::SHORT).await.map_err(refused)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let name =
            text.lines().find_map(|line| line.strip_prefix("ref: refs/heads/")?.strip_suffix("\tHEAD"));
        Ok(name.and_then(|name| BranchName::parse(name).ok()))
    }

    async fn fetch(&self, quarantine: &Path, source: &Path, trust: &Path) -> Result<()> {
        let mut command = self.reader(quarantine, "fetch", trust);
        for pair in FORGIVEN {
            command = command.config(pair);
        }
        let command = command
            .args([
                "--quiet",
                "--no-write-fetch-head",
                "--no-recurse-submodules",
                "--no-auto-maintenance",
                "--",
            ])
            .arg(address(source))
            .args(["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]);
        command.succeed(Vec::new(), Limits::LONG).await.map_err(refused).map(drop)
    }
}

/// The top folder of a work tree or of a bare repository, with nothing symbolic in its path.
fn find_source(folder: &Path) -> Result<PathBuf> {
    let folder = folder.canonicalize().map_err(|_| {
        GitError::Import(format!("there is no folder {}; name one on the server's machine", folder.display()))
    })?;
    if folder.to_str().is_none() {
        return Err(GitError::Import("its path is not UTF-8; move it to a folder with a plain name".into()));
    }
    let is_bare = folder.join("HEAD").is_file() && folder.join("objects").is_dir();
    if is_bare || folder.join(".git").exists() {
        return Ok(folder);
    }
    Err(GitError::Import(format!("{} is not a git repository; name its top folder", folder.display())))
}

/// A configuration for the reading side alone, which names the source as the one folder that
/// may belong to someone else.
fn trust(quarantine: &Path, source: &Path) -> Result<PathBuf> {
    let file = quarantine.join("import.config");
    let quoted = source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    let text = format!("[safe]\n\tdirectory = \"{quoted}\"\n\tdirectory = \"{quoted}/.git\"\n");
    std::fs::write(&file, text).map_err(GitError::disk("write", &file))?;
    Ok(file)
}

/// A path as a URL: it is never taken for an option, a host, or a folder to borrow objects from.
fn address(source: &Path) -> String {
    format!("file://{}", source.display().to_string().replace('%', "%25"))
}

fn choose(branches: &Branches, head: Option<BranchName>) -> Result<BranchName> {
    let has = |name: &BranchName| branches.items.iter().any(|branch| branch.name == *name);
    let usual = ["main", "master"].into_iter().filter_map(|name| BranchName::parse(name).ok());
    head.into_iter()
        .chain(usual)
        .find(has)
        .or_else(|| branches.items.first().map(|branch| branch.name.clone()))
        .ok_or_else(|| GitError::Import("it has no branch with a commit; commit something first".into()))
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
