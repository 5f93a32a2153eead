//! Backup and restore of the server that a configuration describes.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use countersign_app::backup::{Source, Tell, note};
use countersign_app::restore::Target;
use countersign_core::problem::{Code, Problem};

pub use countersign_app::backup::{Checked, Existing, Last, Made, Step, check, last};
pub use countersign_app::restore::{Proof, Restored};

use crate::config::Config;
use crate::{SystemClock, room};

/// The version that a backup names.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Makes a backup, beside the server that may be running, and notes it in the data folder.
pub async fn backup(
    config: &Config,
    place: &Path,
    existing: Existing,
    tell: Tell<'_>,
) -> Result<Made, Problem> {
    is_ours(&config.repositories)?;
    // A file of each repository is open until the end.
    room::for_connections();
    let source = Source {
        database_url: &config.database_url,
        repositories: &config.repositories,
        git: config.git.as_deref(),
        clock: &SystemClock,
        program: PROGRAM,
    };
    let made = countersign_app::backup::make(&source, place, existing, tell).await?;
    let file = std::path::absolute(place).unwrap_or_else(|_| place.to_owned());
    if let Err(error) = note(&config.data, &Last { made_at: made.made_at, file, bytes: made.bytes }) {
        tracing::warn!(%error, "the backup is whole; the data folder does not note it");
    }
    Ok(made)
}

/// Restores a backup into the empty place that the configuration names.
pub async fn restore(config: &Config, file: &Path, tell: Tell<'_>) -> Result<Restored, Problem> {
    let target = Target {
        database_url: &config.database_url,
        data: &config.data,
        repositories: &config.repositories,
        git: config.git.as_deref(),
        clock: &SystemClock,
    };
    countersign_app::restore::restore(&target, file, tell).await
}

/// Lock files that another user makes would keep the server out.
fn is_ours(repositories: &Path) -> Result<(), Problem> {
    let there = std::fs::metadata(repositories).map_err(|error| {
        let sentence = format!("There are no repositories in {}.", repositories.display());
        Problem::new(Code::BackupRefused, sentence)
            .next("Name the folders of the server, or start it once; then take a backup.")
            .because(error)
    })?;
    let (owner, we) = (there.uid(), rustix::process::geteuid().as_raw());
    if owner == we {
        return Ok(());
    }
    let sentence = format!("{} belongs to the user {owner}, and this is {we}.", repositories.display());
    Err(Problem::new(Code::BackupRefused, sentence).next("Run it as the user that the server runs as."))
}
