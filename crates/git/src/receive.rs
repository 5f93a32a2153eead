//! Taking a push: git's receive-pack with the locks of a push and hooks of ours, and what it brought while it is still
//! in quarantine.

use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::push_log::Commits;
use countersign_core::id::ResourceId;
use rustix::fs::{Access, access};

use crate::error::{GitError, Result};
use crate::host::{GitHost, private_folder};
use crate::lock::PushLock;
use crate::process::{GitCommand, Limits};
use crate::quarantine::Quarantine;

/// The variable that names the program which the hooks start.
pub const HOOK_PROGRAM: &str = "COUNTERSIGN_HOOK";

/// The hooks that run during a push.
const HOOKS: [&str; 3] = ["pre-receive", "update", "post-receive"];

/// How many new commits are searched for what they change.
const MOST_NEW: usize = 10_000;

/// Makes the folder of our hooks. They are the same for every server on this folder: the server that starts git
/// says in the environment which program they start.
pub(crate) fn write_hooks(root: &Path) -> Result<PathBuf> {
    let folder = root.join("push-hooks");
    private_folder(&folder)?;
    for hook in HOOKS {
        let text = format!("#!/bin/sh\nexec \"${HOOK_PROGRAM}\" hook {hook}\n");
        let place = folder.join(hook);
        if std::fs::read_to_string(&place).is_ok_and(|there| there == text) {
            continue;
        }
        // Another server may be starting it at this moment.
        let fresh = folder.join(format!("{hook}.{}", std::process::id()));
        std::fs::write(&fresh, text).map_err(GitError::disk("write the hook", &fresh))?;
        std::fs::set_permissions(&fresh, Permissions::from_mode(0o700))
            .map_err(GitError::disk("make a program of", &fresh))?;
        std::fs::rename(&fresh, &place).map_err(GitError::disk("rename to", &place))?;
    }
    Ok(folder)
}

/// What a push may bring, and which program answers its hooks.
#[derive(Clone, Copy, Debug)]
pub struct Receiving<'a> {
    /// The program that the hooks start, with `hook` and the hook's name as its arguments.
    pub program: &'a Path,
    /// How many bytes the pack may have.
    pub most: u64,
    /// What becomes of it.
    pub keep: Keep,
}

/// What becomes of a pack that came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It is unpacked where it has few objects: many small pushes shall not leave many packs.
    AsGitDoes,
    /// It stays a pack: to write large files anew costs more than one pack.
    ThePack,
}

impl GitHost {
    /// git's receive-pack for the repository of a push, which inherits its locks. Its arguments are the caller's.
    ///
    /// Without a hook that can be started git would take any push: then it is not started at all.
    pub fn receive_pack(&self, lock: &PushLock, receiving: Receiving<'_>) -> Result<GitCommand<'_>> {
        let hooks = self.push_hooks();
        for hook in HOOKS {
            let place = hooks.join(hook);
            access(&place, Access::EXEC_OK)
                .map_err(|e| GitError::disk("start the hook", &place)(e.into()))?;
        }
        let mut command = self.git().command(&self.path(lock.repository()), "receive-pack");
        for held in lock.share()? {
            command = command.holding(held);
        }
        if receiving.keep == Keep::ThePack {
            command = command.config("receive.unpackLimit=1");
        }
        Ok(command
            .config(format!("core.hooksPath={}", hooks.display()))
            .config(format!("receive.maxInputSize={}", receiving.most))
            .config("receive.advertisePushOptions=false")
            .env(HOOK_PROGRAM, receiving.program.as_os_str()))
    }

    /// The refs of a repository for somebody who will push.
    pub fn advertise_for_push(&self, id: ResourceId) -> GitCommand<'_> {
        let command = self.git().command(&self.path(id), "receive-pack");
        command.args(["--stateless-rpc", "--http-backend-info-refs", "."])
    }

    /// What a push has brought to the repository, of which git told its hook `quarantine`; nothing, where it only
    /// removes.
    pub fn incoming(&self, id: ResourceId, quarantine: Option<&Path>) -> Result<Incoming<'_>> {
        let objects = self.path(id).join("objects");
        let quarantine = match quarantine {
            None => None,
            Some(told) => {
                let found = Quarantine::at(&objects, told);
                let wrong = || GitError::Damaged { what: "the quarantine of a push".into() };
                Some(found.ok_or_else(wrong)?.path().to_owned())
            }
        };
        Ok(Incoming { host: self, id, objects, quarantine })
    }
}

/// Reads a repository together with what is in quarantine.
#[derive(Debug)]
pub struct Incoming<'h> {
    host: &'h GitHost,
    id: ResourceId,
    objects: PathBuf,
    quarantine: Option<PathBuf>,
}

impl Incoming<'_> {
    /// How many commits `new` has that `old` has not, and the other way round: `new` contains `old` when none is
    /// lost.
    pub async fn between(&self, old: Oid, new: Oid) -> Result<Commits> {
        let command = self.command("rev-list").args(["--count", "--left-right"]);
        let said = self.ask(command.arg(format!("{old}...{new}")).arg("--"), Vec::new()).await?;
        let (lost, added) = said.trim().split_once('\t').ok_or_else(unreadable)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| unreadable());
        Ok(Commits { added: number(added)?, lost: number(lost)? })
    }

    /// How many commits lead to `new` that no branch and no tag leads to.
    pub async fn beyond_refs(&self, new: Oid) -> Result<Commits> {
        let command = self.command("rev-list").args(["--count", &new.to_string()]).args(BEYOND_REFS);
        let said = self.ask(command, Vec::new()).await?;
        Ok(Commits { added: said.trim().parse().map_err(|_| unreadable())?, lost: 0 })
    }

    /// Whether branches and tags lead to all of these commits.
    pub async fn are_led_to(&self, commits: &[Oid]) -> Result<bool> {
        let tips = commits.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let command = self.command("rev-list").args(["--stdin", "--max-count=1"]).args(BEYOND_REFS);
        Ok(self.ask(command, tips.into_bytes()).await?.is_empty())
    }

    /// The paths that are changed by the commits which lead to `new` and to which no branch and no tag leads: in a
    /// merge, those that differ from every parent. `None` when there is more than is looked through.
    pub async fn changed_paths(&self, new: &[Oid]) -> Result<Option<Vec<String>>> {
        let tips = new.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let most = format!("--max-count={}", MOST_NEW + 1);
        let command = self.command("rev-list").args(["--stdin", &most]).args(BEYOND_REFS);
        let commits = self.ask(command, tips.into_bytes()).await?;
        if commits.lines().count() > MOST_NEW {
            return Ok(None);
        }
        let options =
            ["--stdin", "-r", "-c", "--root", "--name-only", "-z", "--no-commit-id", "--no-renames"];
        let command = self.command("diff-tree").args(options);
        match command.succeed(commits.into_bytes(), Limits::LONG).await {
            Ok(output) => {
                let paths = output.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty());
                Ok(Some(paths.map(|path| String::from_utf8_lossy(path).into_owned()).collect()))
            }
            Err(GitError::TooMuch { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn command(&self, name: &'static str) -> GitCommand<'_> {
        let command = self.host.git().command(&self.host.path(self.id), name);
        match &self.quarantine {
            None => command,
            Some(quarantine) => command
                .env("GIT_OBJECT_DIRECTORY", quarantine.as_os_str())
                .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", in_a_list(&self.objects)),
        }
    }

    async fn ask(&self, command: GitCommand<'_>, stdin: Vec<u8>) -> Result<String> {
        // Whoever asks bounds the whole decision: a long history is not refused because one step of it takes long.
        let output = command.succeed(stdin, Limits { stdout: 1 << 20, ..Limits::LONG }).await?;
        String::from_utf8(output.stdout).map_err(|_| unreadable())
    }
}

/// Ends a list of commits: without those that a branch or a tag leads to.
const BEYOND_REFS: [&str; 3] = ["--not", "--branches", "--tags"];

fn unreadable() -> GitError {
    GitError::Damaged { what: "what git said of a push".into() }
}

/// A folder as one entry of a list with colons (git, "GIT_ALTERNATE_OBJECT_DIRECTORIES"): quoted, so that it may
/// hold one.
fn in_a_list(path: &Path) -> OsString {
    let mut quoted = vec![b'"'];
    for byte in path.as_os_str().as_bytes() {
        if matches!(byte, b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(*byte);
    }
    quoted.push(b'"');
    std::os::unix::ffi::OsStringExt::from_vec(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_a_colon_is_one_entry_of_the_list() {
        assert_eq!(in_a_list(Path::new("/a:b\\c\"d")), "\"/a:b\\\\c\\\"d\"");
    }
}
