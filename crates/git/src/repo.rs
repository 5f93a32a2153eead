//! A repository opened for one request: isolated, its kind checked, nothing cached between requests.

use std::path::{Path, PathBuf};

use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use gix::open::Options;
use gix::sec::Trust;

use crate::error::{GitError, Result};

/// A repository for the length of one request.
pub struct Repo {
    pub(crate) id: ResourceId,
    pub(crate) path: PathBuf,
    pub(crate) gix: gix::Repository,
}

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repo").field("id", &self.id).finish_non_exhaustive()
    }
}

/// gix checks names for the file systems of every client, not just for this one.
const OVERRIDES: [&str; 4] = [
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "gitoxide.core.protectWindows=true",
    "core.useReplaceRefs=false",
];

impl Repo {
    /// Opens the repository at `path`, reading no configuration but its own.
    pub(crate) fn open(id: ResourceId, path: &Path) -> Result<Self> {
        if !path.join("HEAD").is_file() {
            return Err(GitError::Missing(id));
        }
        let options = Options::isolated()
            .with(Trust::Full)
            .strict_config(true)
            .open_path_as_is(true)
            .config_overrides(OVERRIDES);
        let gix = gix::open_opts(path, options).map_err(GitError::engine("open the repository"))?;
        let repo = Self { id, path: path.to_owned(), gix };
        repo.check_kind()?;
        Ok(repo)
    }

    /// gix opens a repository with the reftable backend as if it had no refs at all.
    fn check_kind(&self) -> Result<()> {
        let config = self.gix.config_snapshot();
        for (key, ours) in [("extensions.refStorage", "files"), ("extensions.objectFormat", "sha1")] {
            if let Some(value) = config.string(key)
                && !value.eq_ignore_ascii_case(ours.as_bytes())
            {
                return Err(GitError::Unsupported { reason: format!("its {key} is {value}") });
            }
        }
        Ok(())
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which repository it is.
    pub const fn id(&self) -> ResourceId {
        self.id
    }
}

/// `syncfs(2)`: files and directories of the whole file system, which `fsync` of files is not.
pub(crate) fn sync_file_system(path: &Path) -> Result<()> {
    let folder = std::fs::File::open(path).map_err(GitError::disk("open", path))?;
    rustix::fs::syncfs(&folder).map_err(|e| GitError::disk("sync", path)(e.into()))
}

pub(crate) fn to_gix(oid: Oid) -> gix::ObjectId {
    gix::ObjectId::Sha1(oid.bytes())
}

pub(crate) fn from_gix(oid: &gix::oid) -> Result<Oid> {
    let bytes: [u8; 20] = oid
        .as_bytes()
        .try_into()
        .map_err(|_| GitError::Unsupported { reason: "its object ids are not SHA-1".into() })?;
    Ok(Oid::new(bytes))
}
