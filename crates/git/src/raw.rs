//! The bytes of a file as they are: whole where they are few, else as a stream out of git.

use std::io::{Error, Result as IoResult};
use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use tokio::io::AsyncReadExt as _;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::repo::Repo;
use crate::running::Running;

/// How many bytes are read into memory at once.
pub const MOST_WHOLE: u64 = 1 << 20;
/// How many bytes tell what a file is.
pub const HEAD_BYTES: usize = 512;
/// How long git may be silent, and how long a reader may leave a piece before it counts as gone. A file takes as long as
/// it takes: whoever goes on reading is not cut off.
const IDLE: Duration = Duration::from_secs(30);
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
    pub(crate) fn stream(
        &self,
        id: ResourceId,
        oid: Oid,
        of_person: OwnedSemaphorePermit,
    ) -> Result<Streamed> {
        let place = self.stream_place()?;
        let git = self.git().command(&self.path(id), "cat-file").arg("blob").arg(oid.to_string()).start()?;
        let (send, receive) = mpsc::channel(PIECES);
        tokio::spawn(async move {
            let _places = (place, of_person);
            pump(git, &send).await;
        });
        Ok(Streamed(receive))
    }
}

/// Passes on what git writes, and ends git when it is done, silent too long, or nobody reads any more. A git that fails
/// makes the last piece an error.
async fn pump(mut git: Running, send: &mpsc::Sender<IoResult<Vec<u8>>>) {
    let (input, output, errors) = git.take_streams();
    drop((input, errors));
    let Some(mut output) = output else { return };
    loop {
        let mut piece = Vec::with_capacity(PIECE);
        let read = tokio::time::timeout(IDLE, (&mut output).take(PIECE as u64).read_to_end(&mut piece)).await;
        let goes_on = match read {
            Ok(Ok(0)) => break,
            Ok(Ok(_)) => pass_on(send, Ok(piece), IDLE).await,
            Ok(Err(error)) => {
                pass_on(send, Err(error), IDLE).await;
                false
            }
            Err(_) => {
                pass_on(send, Err(Error::other("git is silent")), IDLE).await;
                false
            }
        };
        if !goes_on {
            return;
        }
    }
    if !git.wait().await.is_ok_and(|status| status.success()) {
        pass_on(send, Err(Error::other("git did not write the whole file")), IDLE).await;
    }
}

/// Whether a reader took the piece, or has room for it, within `idle`.
async fn pass_on(send: &mpsc::Sender<IoResult<Vec<u8>>>, piece: IoResult<Vec<u8>>, idle: Duration) -> bool {
    send.send_timeout(piece, idle).await.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reader_who_stopped_reading_is_not_waited_for_for_ever() {
        let (send, mut receive) = mpsc::channel(1);
        let idle = Duration::from_millis(50);
        assert!(pass_on(&send, Ok(vec![1]), idle).await);
        let stuck = tokio::time::timeout(Duration::from_secs(20), pass_on(&send, Ok(vec![2]), idle));
        assert_eq!(stuck.await, Ok(false));
        receive.recv().await;
        assert!(pass_on(&send, Ok(vec![3]), idle).await, "one who goes on reading is not cut off");
    }
}
