//! The note of the last backup that was made here, for whoever asks how old it is.

use std::path::{Path, PathBuf};

use countersign_core::time::Timestamp;
use serde::{Deserialize, Serialize};

/// In the data folder.
const FILE: &str = "last-backup.json";

/// When a backup was made last, and where it was put.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// When it was begun.
    pub made_at: Timestamp,
    /// Its file, as it was named.
    pub file: PathBuf,
    /// How many bytes it had.
    pub bytes: u64,
}

/// Notes a backup in the data folder.
pub fn note(data: &Path, last: &Last) -> std::io::Result<()> {
    let (place, draft) = (data.join(FILE), data.join(format!("{FILE}.new")));
    std::fs::write(&draft, serde_json::to_vec(last)?)?;
    std::fs::rename(draft, place)
}

/// The last backup; `None` where none was noted, or the note cannot be read.
pub fn last(data: &Path) -> Option<Last> {
    serde_json::from_slice(&std::fs::read(data.join(FILE)).ok()?).ok()
}
