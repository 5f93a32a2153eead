//! A backup of the whole server in one file, taken while it serves (docs/decisions/15-backup.md).
//!
//! The operator's, at the server's machine: no caller reaches it, and so no permit is asked for.

mod check;
mod last;
mod make;
mod picture;
pub(crate) mod read;
mod row;
mod write;

pub(crate) use check::open;
pub use check::{Checked, check};
pub use last::{Last, last, note};
pub use make::{Existing, Made, Source, make};
pub(crate) use row::Rows;
pub(crate) use write::hex;

use std::path::Path;

use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};

/// What is being done, for whoever watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing of a repository shall be thrown away meanwhile; whoever does so at this moment is waited for.
    Keep(ResourceId),
    /// The rows of a table.
    Table(String),
    /// One repository of so many.
    Repository(usize, usize),
    /// Every byte of the file.
    Check,
    /// What was restored.
    Prove,
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Keep(id) => write!(f, "keeping the objects of repository {id}"),
            Self::Table(name) => write!(f, "table {name}"),
            Self::Repository(at, of) => write!(f, "repository {at} of {of}"),
            Self::Check => f.write_str("reading the file"),
            Self::Prove => f.write_str("proving what was restored"),
        }
    }
}

/// Hears of each step.
pub type Tell<'a> = &'a (dyn Fn(&Step) + Sync);

/// A failure of the store, with its sentence.
pub(crate) fn store_problem(error: countersign_store::Error) -> Problem {
    if let countersign_store::Error::Setup(sentence) = error {
        return Problem::new(Code::BackupRefused, sentence);
    }
    error.into()
}

/// A file that cannot be read or written.
pub(crate) fn file_problem(action: &str, path: &Path, error: std::io::Error) -> Problem {
    let sentence = format!("Cannot {action} {}.", path.display());
    Problem::new(Code::BackupRefused, sentence).because(error)
}

/// A file that is no whole backup.
pub(crate) fn invalid(path: &Path, why: impl std::fmt::Display) -> Problem {
    Problem::new(Code::BackupInvalid, format!("{} is no whole backup: {why}.", path.display()))
}
