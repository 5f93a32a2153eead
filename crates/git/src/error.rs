//! What can go wrong with a repository, each with what to do about it.

use std::path::PathBuf;

use countersign_core::id::ResourceId;

/// The result of everything in this crate.
pub type Result<T> = std::result::Result<T, GitError>;

/// A failure of a repository, of git, or of the disk. `Display` never repeats its cause.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no usable git on this machine.
    #[error("{found}; install git 2.43 or newer, or name one in COUNTERSIGN_GIT")]
    NoGit {
        /// What was found instead.
        found: String,
    },
    /// The repository's folder is not there, or is not finished.
    #[error("repository {0} is not on disk; create or import it again")]
    Missing(ResourceId),
    /// The repository is there but of a kind that we cannot read.
    #[error("repository is not usable: {reason}; convert it to SHA-1 with the files ref backend")]
    Unsupported {
        /// What about it.
        reason: String,
    },
    /// A lock of the repository was not to be had in time.
    #[error("repository {0} is busy; try again in a few seconds")]
    Busy(ResourceId),
    /// Too much work is under way on this server.
    #[error("too many repository requests at once; try again in a few seconds")]
    Overloaded,
    /// A folder cannot be imported; the sentence says why and what to do.
    #[error("cannot import: {0}")]
    Import(String),
    /// A step that is bounded went over its bound.
    #[error("{what} went over its limit; ask for less at once")]
    TooMuch {
        /// Which step.
        what: &'static str,
    },
    /// A commit was looked for in a history too long to be walked in time.
    #[error("the history is too long to look for this commit in it; name a branch or a tag that leads there")]
    TooFar,
    /// git ran and failed in a way that says nothing about refs.
    #[error("git {command} failed: {stderr}; see the server's log and run `countersign doctor`")]
    Process {
        /// The subcommand.
        command: String,
        /// The first lines of what it said.
        stderr: String,
    },
    /// git did not end in time and was killed.
    #[error("git {command} did not end in time; check the disk, then try again")]
    TimedOut {
        /// The subcommand.
        command: String,
    },
    /// What is stored is not what Git objects look like.
    #[error("{what} is damaged; run `git fsck` on the repository and restore it from a backup")]
    Damaged {
        /// Which object or file.
        what: String,
    },
    /// The key file cannot be used.
    #[error("signing key {path}: {reason}; restore it from a backup or remove it to make a new one")]
    Key {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no space left for repositories.
    #[error("cannot {action}: the disk is full; free space where the repositories are, then try again")]
    Full {
        /// What was tried.
        action: String,
        /// What said so.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The disk said no.
    #[error("cannot {action} {path}; check space and permissions of the repositories folder")]
    Disk {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// gix could not read or write an object or a ref.
    #[error("cannot {action}; run `git fsck` on the repository")]
    Engine {
        /// What was tried.
        action: &'static str,
        /// What gix said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A task of ours ended before its answer.
    #[error("the work was cut short by a shutdown; try again")]
    CutShort,
}

impl GitError {
    /// For `map_err` on file operations.
    pub(crate) fn disk(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| {
            if is_full(&source) {
                Self::Full { action: format!("{action} {}", path.display()), source: source.into() }
            } else {
                Self::Disk { action, path, source }
            }
        }
    }

    /// For `map_err` on gix.
    pub(crate) fn engine<E>(action: &'static str) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        move |source| {
            let source = source.into();
            if is_full(&*source) {
                Self::Full { action: action.to_owned(), source }
            } else {
                Self::Engine { action, source }
            }
        }
    }

    /// For a git that ended with a complaint.
    pub(crate) fn process(command: &str, stderr: String) -> Self {
        // git passes on what strerror(3) says, in the C locale that it is started with.
        if ["No space left on device", "Disk quota exceeded"].iter().any(|said| stderr.contains(said)) {
            return Self::Full { action: format!("run git {command}"), source: stderr.into() };
        }
        Self::Process { command: command.to_owned(), stderr }
    }

    /// Whether waiting a little and trying again can help.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Busy(_) | Self::Overloaded | Self::TimedOut { .. } | Self::CutShort)
    }
}

/// Whether the disk or a quota was full, said by the error itself or by one of its causes.
fn is_full(error: &(dyn std::error::Error + 'static)) -> bool {
    use std::io::{Error, ErrorKind};
    std::iter::successors(Some(error), |error| error.source())
        .filter_map(|error| error.downcast_ref::<Error>())
        .any(|error| matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] std::io::Error);

    /// `ENOSPC` of Linux.
    fn no_space() -> std::io::Error {
        std::io::Error::from_raw_os_error(28)
    }

    #[test]
    fn a_full_disk_is_told_as_one_however_deep_it_lies() {
        for error in [
            GitError::disk("write", "/r/x")(no_space()),
            GitError::engine("write an object")(Outer(no_space())),
            GitError::process("receive-pack", "fatal: x: No space left on device".to_owned()),
        ] {
            let said = error.to_string();
            assert!(said.contains("the disk is full; free space") && !said.contains("fsck"), "{said}");
        }
    }

    #[test]
    fn another_failure_is_not_told_as_a_full_disk() {
        let other = || std::io::Error::from(std::io::ErrorKind::NotFound);
        assert!(matches!(GitError::disk("read", "/r/x")(other()), GitError::Disk { .. }));
        assert!(matches!(GitError::engine("read")(Outer(other())), GitError::Engine { .. }));
        assert!(matches!(GitError::process("gc", "fatal: bad".to_owned()), GitError::Process { .. }));
    }
}
