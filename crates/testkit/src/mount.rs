//! A small disk for one test: the test runs again in a mount namespace of its own, where it may mount and from where
//! nothing stays behind, however it ends.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Set for a test that runs in a namespace of its own.
const INSIDE: &str = "TESTKIT_MOUNTS";

/// Whether this is the run inside. Outside, the test of this name is run there, and nothing is left to do.
///
/// # Panics
/// When the test fails inside, or no namespace is to be had.
pub fn is_inside(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let mut unshare = Command::new("unshare");
    unshare.args(["--mount", "--propagation", "private"]);
    if !rustix::process::geteuid().is_root() {
        unshare.args(["--user", "--map-root-user"]);
    }
    let program = std::env::current_exe().expect("the test knows where it is");
    let ran = unshare.arg("--").arg(program).args(["--exact", test, "--nocapture"]).env(INSIDE, "1").status();
    let ran = ran.expect("unshare is there: it comes with util-linux");
    assert!(ran.success(), "{test} failed in a namespace of its own, or there is none for it");
    false
}

/// A file system of a few MiB in memory, on a folder.
#[derive(Debug)]
pub struct SmallDisk {
    ballast: PathBuf,
}

impl SmallDisk {
    /// Mounts it over an empty folder.
    pub fn over(folder: &Path, mib: u32) -> Self {
        let size = format!("size={mib}m,mode=700");
        let mut mount = Command::new("mount");
        let mounted =
            mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder).stdin(Stdio::null()).status();
        assert!(mounted.expect("mount is there").success(), "{} is not mounted", folder.display());
        Self { ballast: folder.join("ballast") }
    }

    /// Fills it to the last byte.
    pub fn fill(&self) {
        let mut file =
            File::options().append(true).create(true).open(&self.ballast).expect("a file can be made");
        for size in [1 << 16, 1 << 12, 1] {
            let part = vec![b'x'; size];
            loop {
                match file.write_all(&part) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }

    /// Makes room.
    pub fn empty(&self) {
        std::fs::remove_file(&self.ballast).expect("the ballast can be removed");
    }
}
