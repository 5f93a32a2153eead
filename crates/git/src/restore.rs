//! A repository made again from a backup: in a folder beside its place, which is renamed when all of it is there and checked.

use std::io::Read;
use std::path::Path;

use countersign_core::backup::RefList;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use tokio::io::AsyncWriteExt as _;

use crate::complaint::keep_beginning;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::lock::Hold;
use crate::process::Limits;

/// How much of a pack is handed on at once.
const CHUNK: usize = 256 << 10;
/// What is in quarantine is synced as a whole before it gets its name; file by file that would take many times as long.
const UNSYNCED: &str = "core.fsync=none";

impl GitHost {
    /// Makes the repository anew from a pack, which a repository without refs has not, and sets its refs in one
    /// transaction.
    ///
    /// git names each object by its content as it takes the pack, so that none can be another than it was; afterwards it
    /// looks whether all that the refs lead to is there.
    pub async fn restore(
        &self,
        id: ResourceId,
        list: &RefList,
        pack: Option<&mut (dyn Read + Send)>,
    ) -> Result<()> {
        let lock = self.lock(id, Hold::Exclusive).await?;
        if self.exists(id) {
            return Err(GitError::Damaged { what: format!("the place of repository {id} (it is taken)") });
        }
        let quarantine = self.quarantine(&lock)?;
        self.init(&quarantine, &list.head).await?;
        if let Some(pack) = pack {
            self.take_pack(&quarantine, pack).await?;
        }
        if !list.refs.is_empty() {
            let line = |(name, oid): (&String, &Oid)| format!("create {name}\0{oid}\0").into_bytes();
            let lines: Vec<u8> = list.refs.iter().flat_map(line).collect();
            let update = self.git().command(&quarantine, "update-ref").config(UNSYNCED);
            let update = update.args(["--no-deref", "-z", "--stdin"]);
            update.succeed(lines, Limits::LONG).await?;
            let pack_refs = self.git().command(&quarantine, "pack-refs").config(UNSYNCED);
            let pack_refs = pack_refs.args(["--all", "--prune"]);
            pack_refs.succeed(Vec::new(), Limits::LONG).await?;
        }
        let check = self.git().command(&quarantine, "fsck");
        let check = check.args(["--connectivity-only", "--no-dangling", "--no-progress"]);
        check.succeed(Vec::new(), Limits::TENDING).await?;
        self.settle(&lock, quarantine).await
    }

    async fn take_pack(&self, quarantine: &Path, pack: &mut (dyn Read + Send)) -> Result<()> {
        const NAME: &str = "index-pack";
        let command = self.git().command(quarantine, NAME).config(UNSYNCED);
        let mut running = command.args(["--stdin"]).start()?;
        let (Some(mut input), output, errors) = running.take_streams() else {
            return Err(GitError::CutShort);
        };
        let errors = tokio::spawn(keep_beginning(errors));
        // It says the name of the pack, which nobody needs.
        let output = tokio::spawn(keep_beginning(output));
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = pack.read(&mut chunk).map_err(GitError::disk("read", "the backup"))?;
            // A git that refuses closes its input; what it says then is in its status.
            if read == 0 || input.write_all(&chunk[..read]).await.is_err() {
                break;
            }
        }
        let _ = input.shutdown().await;
        drop(input);
        let ended = tokio::time::timeout(Limits::TENDING.time, running.wait()).await;
        let ended = ended.map_err(|_| GitError::TimedOut { command: NAME.to_owned() })?;
        drop(output);
        if ended.map_err(GitError::disk("wait for", NAME))?.success() {
            return Ok(());
        }
        Err(GitError::process(NAME, errors.await.unwrap_or_default()))
    }
}
