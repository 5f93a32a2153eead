//! The folder in which one push keeps what it has brought so far (git-receive-pack, "Quarantine Environment").

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use countersign_core::id::ResourceId;

use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::size::size_of;

/// The variable in which git names the folder to what it starts for the push.
const VARIABLE: &[u8] = b"GIT_QUARANTINE_PATH=";
/// How a folder is called.
pub(crate) const BEGINNING: &[u8] = b"tmp_objdir-";
/// How often a folder is removed until it is gone: the last of those that wrote there may just be ending.
const ROUNDS: usize = 20;
/// How long between.
const PAUSE: Duration = Duration::from_millis(50);

/// The folder of one push.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quarantine(PathBuf);

impl Quarantine {
    /// The folder of that name in `objects`, when it is there and can be one.
    pub(crate) fn at(objects: &Path, told: &Path) -> Option<Self> {
        let name = told.file_name().filter(|name| name.as_bytes().starts_with(BEGINNING))?;
        Some(Self(objects.join(name))).filter(|quarantine| quarantine.0.is_dir())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// How many bytes it holds.
    pub async fn size(&self) -> Result<u64> {
        let place = self.0.clone();
        blocking(move || size_of(place)).await
    }

    /// Removes it with what it holds. Only once the git that made it was killed: no ref names any of it yet.
    pub async fn remove(self) {
        for _ in 0..ROUNDS {
            let place = self.0.clone();
            let removed = blocking(move || match fs::remove_dir_all(&place) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(GitError::disk("remove", place)(e)),
                Ok(()) | Err(_) => Ok(()),
            });
            if removed.await.is_ok() {
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
        tracing::warn!(place = %self.0.display(), "what a killed push left stays until the next sweep");
    }
}

impl GitHost {
    /// Where the push that the process `git` takes keeps what it brings, once there is something. What git starts for
    /// it is told so in its environment.
    pub async fn quarantine_of(&self, id: ResourceId, git: u32) -> Option<Quarantine> {
        let objects = self.path(id).join("objects");
        let looked = blocking(move || {
            let mut told = children(git).into_iter().filter_map(|process| told(&process));
            Ok(told.find_map(|place| Quarantine::at(&objects, &place)))
        });
        looked.await.unwrap_or(None)
    }
}

/// The processes that a process has started, whichever of its threads did (proc_pid_task, "children").
fn children(process: u32) -> Vec<String> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let listed = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    listed.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// What git told a process of its quarantine.
fn told(process: &str) -> Option<PathBuf> {
    let environment = fs::read(format!("/proc/{process}/environ")).ok()?;
    let place = environment.split(|byte| *byte == 0).find_map(|variable| variable.strip_prefix(VARIABLE))?;
    Some(PathBuf::from(OsStr::from_bytes(place)))
}
