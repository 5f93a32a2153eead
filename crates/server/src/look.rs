//! Looks at what a server would open, beside one that may be running: nothing is made, locked or migrated.

use std::path::Path;

use countersign_core::id::ResourceId;
use countersign_core::time::Timestamp;
use countersign_store::{Snapshot, audit_seal};

use crate::config::Config;

/// What the store says should be on disk, and what of it is not.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Repositories {
    /// How many the store knows.
    pub known: usize,
    /// The id of each that does not open, and why.
    pub broken: Vec<(String, String)>,
}

/// Asks the configured database for its repositories and opens each; `None` while there is no database yet.
pub async fn repositories(config: &Config) -> Result<Option<Repositories>, countersign_store::Error> {
    let Some(ids) = countersign_store::look::ready_repositories(&config.database_url).await? else {
        return Ok(None);
    };
    let mut seen = Repositories { known: ids.len(), broken: Vec::new() };
    for id in ids {
        let opened = match ResourceId::parse(&id) {
            Ok(parsed) => {
                countersign_git::host::look(&config.repositories, parsed).map_err(|error| error.to_string())
            }
            Err(_) => Err("its id is none; restore the database from a backup".to_owned()),
        };
        if let Err(why) = opened {
            seen.broken.push((id, why));
        }
    }
    Ok(Some(seen))
}

/// How many bytes are free for this user where a folder is, or will be.
pub fn free_bytes(folder: &Path) -> std::io::Result<u64> {
    let there = folder.ancestors().find(|path| path.is_dir()).unwrap_or(Path::new("."));
    let told = rustix::fs::statvfs(there)?;
    Ok(told.f_bavail.saturating_mul(told.f_frsize))
}

/// When the last seal of the audit log was made; `None` where there is none, or the database does not say.
pub async fn sealed_at(config: &Config) -> Option<Timestamp> {
    let snapshot = Snapshot::open(&config.database_url).await.ok()??;
    let (.., at) = audit_seal::head(&snapshot.tx()).await.ok()??;
    Some(Timestamp::from_millis(at))
}

/// Whether a restore into the configured folder has not ended.
pub fn is_being_restored(config: &Config) -> bool {
    countersign_app::restore::is_under_way(&config.repositories)
}
