//! A work tree in which a test makes commits, as an ordinary user of git does.

use std::path::PathBuf;

use countersign_core::gitnest::oid::Oid;

use crate::place::{Place, git, said};

/// A clone whose commits are pushed straight into the bare folder.
pub(crate) struct Work(PathBuf);

impl Work {
    /// Clones the repository of `place`.
    pub(crate) fn of(place: &Place) -> Self {
        let folder = place.dir.path().join("work");
        let from = place.host.path(place.id).display().to_string();
        said(&git(place.dir.path(), &["clone", "--quiet", &from, &folder.display().to_string()]));
        Self(folder)
    }

    /// Runs git in the work tree.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        said(&git(&self.0, args))
    }

    /// Writes a file.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Makes a symbolic link.
    pub(crate) fn link(&self, path: &str, target: &str) {
        std::os::unix::fs::symlink(target, self.0.join(path)).unwrap();
    }

    /// Removes a file.
    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.0.join(path)).unwrap();
    }

    /// Commits what the work tree holds, pushes it to the branch `main`, and answers the commit.
    pub(crate) fn commit(&self, message: &str) -> Oid {
        self.git(&["add", "-A"]);
        self.commit_index(message)
    }

    /// What a file holds.
    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.0.join(path)).unwrap()
    }

    /// Pushes the commit that is checked out to the branch `main`, and answers it.
    pub(crate) fn push(&self) -> Oid {
        self.git(&["push", "--quiet", "origin", "HEAD:main"]);
        Oid::parse(&self.git(&["rev-parse", "HEAD"])).unwrap()
    }

    /// Commits what the index holds, and pushes it.
    pub(crate) fn commit_index(&self, message: &str) -> Oid {
        self.git(&["commit", "--quiet", "-m", message]);
        self.push()
    }
}
