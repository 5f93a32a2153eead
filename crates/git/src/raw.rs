//! The bytes of a file as they are: whole where they are few, else as a stream out of git.

use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use tokio::process::ChildStdout;

use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::repo::Repo;
use crate::running::Running;

/// How many bytes are read into memory at once.
pub const MOST_WHOLE: u64 = 1 << 20;
/// How many bytes tell what a file is.
pub const HEAD_BYTES: usize = 512;
/// How long a stream may take, whoever reads it.
pub const MOST_STREAM: Duration = Duration::from_mins(10);

/// A file on its way: git writes it, and dropping this ends git.
#[derive(Debug)]
pub struct Streamed {
    /// What git writes.
    pub bytes: ChildStdout,
    /// The git itself; keep it as long as the bytes are read.
    pub git: Running,
}

impl Repo {
    /// How many bytes a file has.
    pub fn size(&self, oid: Oid) -> Result<u64> {
        self.size_of(oid)
    }

    /// All bytes of a file, unless there are more than `most`.
    pub fn whole(&self, oid: Oid, most: u64) -> Result<Option<Vec<u8>>> {
        if self.size_of(oid)? > most { Ok(None) } else { self.blob(oid).map(Some) }
    }
}

impl GitHost {
    /// Streams a file that was found in the repository before. git holds no more of it than a pipe does where it is
    /// larger than `core.bigFileThreshold`, and at most that much otherwise.
    pub fn stream(&self, id: ResourceId, oid: Oid) -> Result<Streamed> {
        let command = self.git().command(&self.path(id), "cat-file").arg("blob").arg(oid.to_string());
        let mut git = command.start()?;
        let (input, bytes, errors) = git.take_streams();
        drop((input, errors));
        let bytes = bytes.ok_or(GitError::CutShort)?;
        Ok(Streamed { bytes, git })
    }
}
