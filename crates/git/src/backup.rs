//! Packing a repository for a backup, while its objects are kept.

use std::time::Duration;

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::complaint::keep_beginning;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::lock::ObjectsKept;

/// How long git may count and compress before its next byte comes.
const SILENCE: Duration = Duration::from_hours(1);
/// How much of a pack is handed on at once.
const CHUNK: usize = 256 << 10;

impl GitHost {
    /// Takes the objects of a repository, shared: nothing of them is thrown away until the answer is dropped. Pushes and
    /// approvals go on. Who throws objects away at this moment is waited for, as long as `patience`.
    pub async fn keep_objects(&self, id: ResourceId, patience: Duration) -> Result<ObjectsKept> {
        self.locks().keep_objects(id, patience).await
    }

    /// Packs all that `tips` lead to, and gives the pack to `sink` piece by piece.
    pub async fn pack(
        &self,
        kept: &ObjectsKept,
        tips: impl Iterator<Item = Oid>,
        mut sink: impl FnMut(&[u8]) -> std::io::Result<()>,
    ) -> Result<()> {
        const NAME: &str = "pack-objects";
        let command = self.git().command(&self.path(kept.repository()), NAME);
        let mut running = command.args(["--stdout", "--revs", "--delta-base-offset", "--quiet"]).start()?;
        let (Some(mut input), Some(mut output), errors) = running.take_streams() else {
            return Err(GitError::CutShort);
        };
        let errors = tokio::spawn(keep_beginning(errors));
        let wanted: Vec<u8> = tips.flat_map(|oid| format!("{oid}\n").into_bytes()).collect();
        let feed = async move {
            // A git that refuses early closes its input; what it says then is in its status.
            let _ = input.write_all(&wanted).await;
            let _ = input.shutdown().await;
        };
        let read = async {
            let mut chunk = vec![0; CHUNK];
            loop {
                let read = tokio::time::timeout(SILENCE, output.read(&mut chunk)).await;
                let read = read.map_err(|_| GitError::TimedOut { command: NAME.to_owned() })?;
                match read.map_err(GitError::disk("listen to", NAME))? {
                    0 => return Ok(()),
                    read => sink(&chunk[..read]).map_err(GitError::disk("write", "the backup"))?,
                }
            }
        };
        let ((), read) = tokio::join!(feed, read);
        read?;
        if running.wait().await.map_err(GitError::disk("wait for", NAME))?.success() {
            return Ok(());
        }
        Err(GitError::process(NAME, errors.await.unwrap_or_default()))
    }
}
