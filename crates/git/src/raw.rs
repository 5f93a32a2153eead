//! The bytes of a file as they are: whole where they are few, else as a stream out of git.

use std::io::{Error, Result as IoResult};
use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use tokio::io::AsyncReadExt as _;
use tokio::sync::mpsc;

use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::repo::Repo;
use crate::running::Running;

/// How many bytes are read into memory at once.
pub const MOST_WHOLE: u64 = 1 << 20;
/// How many bytes tell what a file is.
pub const HEAD_BYTES: usize = 512;
/// How long a file may be on its way, however slowly somebody reads it.
const MOST_TIME: Duration = Duration::from_mins(10);
/// How many bytes are in one piece, and how many pieces wait for the reader.
const PIECE: usize = 64 << 10;
const PIECES: usize = 4;

/// A file on its way: git writes it, and dropping this ends git.
#[derive(Debug)]
pub struct Streamed(mpsc::Receiver<IoResult<Vec<u8>>>);

impl Streamed {
    /// The next bytes; `None` after the last. An error means that the file did not come whole.
    pub async fn next(&mut self) -> Option<IoResult<Vec<u8>>> {
        self.0.recv().await
    }

    /// The first bytes: at least as many as tell what a file is, fewer where it has no more.
    pub async fn head(&mut self) -> Result<Vec<u8>> {
        let mut head = Vec::new();
        while head.len() < HEAD_BYTES {
            match self.next().await {
                Some(piece) => head.extend(piece.map_err(GitError::disk("read from", "git cat-file"))?),
                None => break,
            }
        }
        Ok(head)
    }
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
    /// Streams a file that was found in the repository before. git holds no more than a piece of what is larger
    /// than `core.bigFileThreshold`, and at most that much of anything else.
    pub fn stream(&self, id: ResourceId, oid: Oid) -> Result<Streamed> {
        let place = self.stream_place()?;
        let git = self.git().command(&self.path(id), "cat-file").arg("blob").arg(oid.to_string()).start()?;
        let (send, receive) = mpsc::channel(PIECES);
        tokio::spawn(async move {
            // The task ends git when the time is over, also when the reader has stopped reading.
            let _place = place;
            let _ = tokio::time::timeout(MOST_TIME, pump(git, &send)).await;
        });
        Ok(Streamed(receive))
    }
}

/// Passes on what git writes; a git that fails makes the last piece an error.
async fn pump(mut git: Running, send: &mpsc::Sender<IoResult<Vec<u8>>>) {
    let (input, output, errors) = git.take_streams();
    drop((input, errors));
    let Some(mut output) = output else { return };
    loop {
        let mut piece = Vec::with_capacity(PIECE);
        let read = (&mut output).take(PIECE as u64).read_to_end(&mut piece).await;
        let last = match read {
            Ok(0) => break,
            Ok(_) => send.send(Ok(piece)).await.is_err(),
            Err(error) => {
                let _ = send.send(Err(error)).await;
                true
            }
        };
        if last {
            return;
        }
    }
    if !git.wait().await.is_ok_and(|status| status.success()) {
        let _ = send.send(Err(Error::other("git did not write the whole file"))).await;
    }
}
