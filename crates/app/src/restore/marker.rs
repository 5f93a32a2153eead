//! The marker of a restore under way: one restore at a time, only into an empty place, and no server before its end.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use countersign_core::problem::{Code, Problem};
use countersign_store::load;
use sha2::{Digest as _, Sha256};

use super::Target;
use crate::backup::{file_problem, hex, store_problem};

/// Its name, in the folder of repositories, which all servers of one house share.
pub const MARKER: &str = "restore-under-way";
/// What the root of a file system may hold by itself.
const FOUND: &str = "lost+found";

/// How often what a killed restore left is removed until it is gone, and the pause before each.
const REMOVALS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// Whether a restore was begun here and has not proved everything.
pub fn is_under_way(repositories: &Path) -> bool {
    std::fs::symlink_metadata(repositories.join(MARKER)).is_ok()
}

/// Whether the place was found empty, or half full by this restore's forerunner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    Anew,
    Again,
}

/// The marker, locked for as long as this lives.
#[derive(Debug)]
pub(super) struct Marker {
    path: PathBuf,
    begun: Begun,
    _locked: File,
}

impl Marker {
    /// Takes it where both folder and database are empty. Of two that come at once one wins. What a killed restore left
    /// in the folder is removed; the marker shows that nobody else put anything there.
    pub(super) async fn take(target: &Target<'_>) -> Result<Self, Problem> {
        if !is_under_way(target.repositories) {
            // Before anything is made.
            empty(target).await?;
        }
        let path = target.repositories.join(MARKER);
        let wrong = |error| file_problem("write", &path, error);
        for folder in [target.data, target.repositories] {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)
                .map_err(|error| file_problem("make", folder, error))?;
        }
        let mut file = open(&path).map_err(wrong)?;
        lock(&file, &path)?;
        let (mut said, ours) = (String::new(), fingerprint(target.database_url));
        file.read_to_string(&mut said).map_err(wrong)?;
        let begun = if said.is_empty() { Begun::Anew } else { Begun::Again };
        match begun {
            Begun::Anew => {
                if let Err(problem) = empty(target).await {
                    let _ = std::fs::remove_file(&path);
                    return Err(problem);
                }
                let written = file.write_all(ours.as_bytes()).and_then(|()| file.sync_all());
                written.and_then(|()| sync(target.repositories)).map_err(wrong)?;
            }
            Begun::Again if said == ours => clear(target.repositories).await.map_err(wrong)?,
            Begun::Again => {
                let sentence = format!(
                    "A restore into another database was cut short in {}.",
                    target.repositories.display()
                );
                return Err(Problem::new(Code::RestoreRefused, sentence)
                    .next("Run that one again, or empty this folder and its database by hand."));
            }
        }
        Ok(Self { path, begun, _locked: file })
    }

    pub(super) const fn begun(&self) -> Begun {
        self.begun
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Everything is proved: servers may start.
    pub(super) fn remove(self) -> Result<(), Problem> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::remove_file(&self.path)
            .and_then(|()| sync(folder))
            .map_err(|error| file_problem("remove", &self.path, error))
    }
}

/// Refuses a place that holds anything.
async fn empty(target: &Target<'_>) -> Result<(), Problem> {
    let refused =
        |what: String| Problem::new(Code::RestoreRefused, format!("The place is not empty: {what}."));
    let folder = target.repositories;
    match entries(folder) {
        Ok(found) => {
            if let Some(first) = found.first() {
                return Err(refused(format!("there is {}", first.display())));
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(file_problem("look into", folder, error)),
    }
    let obstacle = load::obstacle(target.database_url).await.map_err(store_problem)?;
    obstacle.map_or(Ok(()), |what| Err(refused(what)))
}

/// What is in the folder beside the marker.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() != MARKER && entry.file_name() != FOUND {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// A git that the killed one left ends by itself, and may write a moment longer.
async fn clear(folder: &Path) -> io::Result<()> {
    for _ in 1..REMOVALS {
        if remove_entries(folder).is_ok() {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
    }
    remove_entries(folder)
}

fn remove_entries(folder: &Path) -> io::Result<()> {
    for path in entries(folder)? {
        if std::fs::symlink_metadata(&path)?.is_dir() {
            std::fs::remove_dir_all(&path)?;
        } else {
            std::fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

fn lock(file: &File, path: &Path) -> Result<(), Problem> {
    let under_way = || Problem::new(Code::RestoreUnderWay, "Another restore into this place is under way.");
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(under_way()),
        Err(TryLockError::Error(error)) => return Err(file_problem("lock", path, error)),
    }
    // It may have been removed, by one that ended, before it was locked.
    let there = std::fs::metadata(path).map(|there| there.ino()).ok();
    let ours = file.metadata().map(|ours| ours.ino()).ok();
    if there.is_some() && there == ours { Ok(()) } else { Err(under_way()) }
}

/// Of the address of the database, which may hold a password.
fn fingerprint(database_url: &str) -> String {
    hex(&Sha256::digest(database_url))
}

pub(super) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
