//! A folder of this machine as a source. git's own upload-pack reads it, so its hooks, filters and configuration do
//! nothing, and no object is borrowed from it or shared with it.

use std::path::{Path, PathBuf};

use countersign_core::gitnest::branch::BranchName;
use countersign_core::id::ResourceId;

use super::{Bounds, Check, Source};
use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::host::GitHost;

impl GitHost {
    /// Copies every branch and tag of the repository at `source` (a work tree or a bare one) and
    /// answers its default branch.
    ///
    /// Imported before, it stays as it is. Like [`Self::create`], it leaves nothing half.
    pub async fn import_folder(&self, id: ResourceId, source: &Path) -> Result<BranchName> {
        let folder = source.to_owned();
        self.import(
            id,
            Bounds::FOLDER,
            |_| {},
            move |quarantine| {
                let quarantine = quarantine.to_owned();
                async move {
                    blocking(move || {
                        let source = find_source(&folder)?;
                        Ok(Source {
                            address: address(&source),
                            config: vec!["protocol.file.allow=always".into()],
                            env: vec![("GIT_CONFIG_GLOBAL", trust(&quarantine, &source)?.into())],
                            check: Check::Connections,
                        })
                    })
                    .await
                }
            },
        )
        .await
    }
}

/// The top folder of a work tree or of a bare repository, with nothing symbolic in its path.
fn find_source(folder: &Path) -> Result<PathBuf> {
    let folder = folder.canonicalize().map_err(|_| {
        GitError::Import(format!("there is no folder {}; name one on the server's machine", folder.display()))
    })?;
    if folder.to_str().is_none() {
        return Err(GitError::Import("its path is not UTF-8; move it to a folder with a plain name".into()));
    }
    let is_bare = folder.join("HEAD").is_file() && folder.join("objects").is_dir();
    if is_bare || folder.join(".git").exists() {
        return Ok(folder);
    }
    Err(GitError::Import(format!("{} is not a git repository; name its top folder", folder.display())))
}

/// A configuration for the reading side alone, which names the source as the one folder that
/// may belong to someone else.
fn trust(quarantine: &Path, source: &Path) -> Result<PathBuf> {
    let file = quarantine.join("import.config");
    let quoted = source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    let text = format!("[safe]\n\tdirectory = \"{quoted}\"\n\tdirectory = \"{quoted}/.git\"\n");
    std::fs::write(&file, text).map_err(GitError::disk("write", &file))?;
    Ok(file)
}

/// A path as a URL: it is never taken for an option, a host, or a folder to borrow objects from.
fn address(source: &Path) -> String {
    format!("file://{}", source.display().to_string().replace('%', "%25"))
}
