//! The power of a server under test: it is cut at any moment, and comes back with what had been synced and with as
//! much of the rest as a disk may have kept (docs/decisions/13-power-cut.md).

mod disk;

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use countersign_store::testing::Folder;
use rustix::process::{Pid, Signal, kill_process};

pub use disk::Survives;

/// The library that stands between a process and its disk.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/powercut/powercut.c");

/// Which syncs are answered and do nothing. A proof that still holds then proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deaf {
    /// None: as on a disk that keeps its word.
    No,
    /// `fsync` and `fdatasync`: those of SQLite and of git.
    ToFsync,
    /// `syncfs`: ours around the objects and refs of a repository.
    ToSyncfs,
}

impl Deaf {
    const fn to(self) -> &'static str {
        match self {
            Self::No => "",
            Self::ToFsync => "fsync",
            Self::ToSyncfs => "syncfs",
        }
    }
}

/// The power of everything that writes below one folder.
#[derive(Debug)]
pub struct Power {
    root: PathBuf,
    place: Folder,
}

impl Power {
    /// Takes what is in `root` now for synced. No process may write there meanwhile.
    pub fn of(root: &Path) -> Self {
        let power = Self { root: root.canonicalize().expect("the folder is there"), place: Folder::new() };
        let built = Command::new("cc")
            .args(["-O2", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"])
            .args([power.library().as_path(), Path::new(SOURCE)])
            .status();
        let built = built.expect("there is a C compiler: scripts/setup-debian.sh installs it");
        assert!(built.success(), "{SOURCE} is not built");
        power.snapshot();
        power
    }

    /// The variables of a server that runs on this power.
    pub fn variables(&self, deaf: Deaf) -> BTreeMap<String, String> {
        let text = |path: PathBuf| path.to_str().expect("a folder of tests is named in UTF-8").to_owned();
        let variables = [
            ("LD_PRELOAD", text(self.library())),
            ("POWERCUT_ROOT", text(self.root.clone())),
            ("POWERCUT_SHADOW", text(self.shadow())),
            ("POWERCUT_DEAF", deaf.to().to_owned()),
        ];
        variables.map(|(name, value)| (name.to_owned(), value)).into()
    }

    /// A git that runs on this power; a server starts git with a clean environment.
    pub fn git(&self, deaf: Deaf) -> PathBuf {
        let script = self.place.path().join("git-on-this-power");
        let variables = self.variables(deaf);
        let exports: Vec<String> =
            variables.iter().map(|(name, value)| format!("export {name}='{value}'\n")).collect();
        std::fs::write(&script, format!("#!/bin/sh\n{}exec git \"$@\"\n", exports.concat()))
            .expect("the script can be written");
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))
            .expect("it can be made a program");
        script
    }

    /// Ends every process on this power at once. What they would still have answered, they do not answer.
    pub fn cut(&self) {
        // One that was started meanwhile is seen by the next look.
        loop {
            let running = self.running();
            if running.is_empty() {
                return;
            }
            for pid in running {
                let _ = kill_process(pid, Signal::KILL);
            }
            std::thread::yield_now();
        }
    }

    /// Gives the folder the contents that the disk has after the cut: what was synced, and of the rest what `survives`.
    pub fn restore(&self, survives: Survives) {
        let fresh = self.place.path().join("fresh");
        disk::restore(&self.root, &self.shadow(), &fresh, survives);
        for entry in std::fs::read_dir(&self.root).expect("the folder is readable").flatten() {
            let path = entry.path();
            let removed =
                if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
            removed.unwrap_or_else(|error| panic!("{} stays: {error}", path.display()));
        }
        for entry in std::fs::read_dir(&fresh).expect("the folder is readable").flatten() {
            std::fs::rename(entry.path(), self.root.join(entry.file_name()))
                .expect("it can be put in its place");
        }
        std::fs::remove_dir_all(&fresh).expect("it can be removed");
        self.snapshot();
    }

    /// Whatever survived a cut lies on the disk.
    fn snapshot(&self) {
        let shadow = self.shadow();
        let _ = std::fs::remove_dir_all(&shadow);
        for folder in ["files", "names"] {
            std::fs::create_dir_all(shadow.join(folder)).expect("the shadow can be made");
        }
        let mut sync = Command::new("sync");
        let synced = sync.arg("-f").arg(&self.root).envs(self.variables(Deaf::No)).status();
        assert!(synced.expect("sync is there").success(), "the folder under test is not copied");
    }

    fn library(&self) -> PathBuf {
        self.place.path().join("powercut.so")
    }

    fn shadow(&self) -> PathBuf {
        self.place.path().join("shadow")
    }

    /// The processes with this shadow in their environment; one that has ended and was not waited for has none.
    fn running(&self) -> Vec<Pid> {
        let mark = format!("POWERCUT_SHADOW={}\0", self.shadow().display());
        let is_ours = |pid: &str| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.windows(mark.len()).any(|at| at == mark.as_bytes())
        };
        let all = std::fs::read_dir("/proc").expect("there is a /proc").flatten();
        all.filter_map(|process| {
            let name = process.file_name();
            let name = name.to_str()?;
            let number: i32 = name.parse().ok()?;
            is_ours(name).then(|| Pid::from_raw(number)).flatten()
        })
        .collect()
    }
}

impl Drop for Power {
    fn drop(&mut self) {
        self.cut();
    }
}
