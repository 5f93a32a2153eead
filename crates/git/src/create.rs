//! Making a repository, in a folder beside its place that is renamed when all of it is there.

use std::path::{Path, PathBuf};

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::identity::Identity;
use countersign_core::gitnest::message::CommitMessage;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use countersign_core::time::Timestamp;
use gix::objs::tree::EntryKind;

use crate::commit::CommitDraft;
use crate::error::{GitError, Result};
use crate::host::{GitHost, private_folder};
use crate::lock::{Hold, RepoLock};
use crate::process::Limits;
use crate::repo::{Repo, from_gix, sync_file_system};
use crate::sign::Signer;
use crate::version::GitVersion;

/// A repository to be made with one first signed commit, which holds a README.
#[derive(Clone, Debug)]
pub struct NewRepository {
    /// The default branch.
    pub branch: BranchName,
    /// The text of `README.md`.
    pub readme: String,
    /// Who makes it.
    pub author: Identity,
    /// When.
    pub at: Timestamp,
    /// What the first commit says.
    pub message: CommitMessage,
}

impl GitHost {
    /// Makes the repository and answers its first commit.
    ///
    /// Made before, it stays as it is and its tip is answered. A crash leaves either nothing or
    /// all of it: what a crash left half is thrown away by the next attempt.
    pub async fn create(&self, id: ResourceId, new: NewRepository, signer: &Signer) -> Result<Oid> {
        let lock = self.lock(id, Hold::Exclusive).await?;
        if !self.exists(id) {
            let quarantine = self.quarantine(&lock)?;
            self.init(&quarantine, &new.branch).await?;
            let (folder, first, signer) = (quarantine.clone(), new.clone(), signer.clone());
            let commit = blocking(move || first_commit(&Repo::open(id, &folder)?, &first, &signer)).await?;
            let name = new.branch.full();
            let command =
                self.git().command(&quarantine, "update-ref").args([&name, &commit.to_string(), ""]);
            command.succeed(Vec::new(), Limits::SHORT).await?;
            self.settle(&lock, quarantine).await?;
        }
        let branch = new.branch;
        self.with(id, move |repo| repo.tip(&branch)).await?.ok_or(GitError::Missing(id))
    }

    /// Makes the repository without a commit; HEAD names `branch`, which the first push may bring. Made before, it
    /// stays as it is.
    pub async fn create_empty(&self, id: ResourceId, branch: &BranchName) -> Result<()> {
        let lock = self.lock(id, Hold::Exclusive).await?;
        if !self.exists(id) {
            let quarantine = self.quarantine(&lock)?;
            self.init(&quarantine, branch).await?;
            self.settle(&lock, quarantine).await?;
        }
        Ok(())
    }

    /// Where what is not finished lies.
    pub(crate) fn unfinished(&self, id: ResourceId) -> PathBuf {
        self.root().join(format!("{id}.git.new"))
    }

    /// An empty folder for what is not finished, on the same file system as its place.
    pub(crate) fn quarantine(&self, lock: &RepoLock) -> Result<PathBuf> {
        let folder = self.unfinished(lock.repository());
        match std::fs::remove_dir_all(&folder) {
            Ok(()) => {}
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => return Err(GitError::disk("remove", folder)(e)),
        }
        private_folder(&folder)?;
        Ok(folder)
    }

    /// A bare repository of the kind that this server reads, in so many words: newer versions
    /// of git have other defaults.
    pub(crate) async fn init(&self, folder: &Path, branch: &BranchName) -> Result<()> {
        let mut command = self.git().command(folder, "init").args([
            "--quiet",
            "--bare",
            "--template=",
            "--object-format=sha1",
        ]);
        if self.git().version() >= GitVersion::REF_FORMAT {
            command = command.arg("--ref-format=files");
        }
        command = command.arg(format!("--initial-branch={branch}"));
        command.succeed(Vec::new(), Limits::SHORT).await.map(drop)
    }

    /// Syncs what is in quarantine, renames it to its place, and syncs the rename.
    pub(crate) async fn settle(&self, lock: &RepoLock, quarantine: PathBuf) -> Result<()> {
        let (place, root) = (self.path(lock.repository()), self.root().to_owned());
        blocking(move || {
            sync_file_system(&quarantine)?;
            std::fs::rename(&quarantine, &place).map_err(GitError::disk("rename to", &place))?;
            sync_file_system(&root)
        })
        .await
    }
}

fn first_commit(repo: &Repo, new: &NewRepository, signer: &Signer) -> Result<Oid> {
    let blob = repo.gix.write_blob(new.readme.as_bytes()).map_err(GitError::engine("write the README"))?;
    let mut tree = repo.gix.empty_tree().edit().map_err(GitError::engine("make a tree"))?;
    tree.upsert("README.md", EntryKind::Blob, blob).map_err(GitError::engine("make a tree"))?;
    let tree = tree.write().map_err(GitError::engine("write the tree"))?;
    let draft = CommitDraft {
        tree: from_gix(&tree)?,
        parent: None,
        author: new.author.clone(),
        author_time: new.at,
        committer: new.author.clone(),
        commit_time: new.at,
        message: new.message.clone(),
    };
    let commit = signer.sign(&draft)?;
    repo.write_commit(&commit)?;
    Ok(commit.oid())
}

/// Runs what touches the disk off the async threads.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|_| GitError::CutShort)?
}
