//! A folder of one test's own, removed at its end.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// An empty folder that goes with the value.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes it below the system's folder for temporary files.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("countersign-store-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path)
            .unwrap_or_else(|error| panic!("no folder {}: {error}", path.display()));
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The address of a data file in it.
    pub fn sqlite_url(&self) -> String {
        format!("sqlite:{}", self.0.join("store.db").display())
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
