//! What a repository has gathered since it was last looked after, counted without opening it.

use std::path::Path;
use std::time::Duration;

use countersign_core::id::ResourceId;
use countersign_core::time::Timestamp;

use crate::create::blocking;
use crate::error::{GitError, Result};
use crate::host::GitHost;
use crate::refs::MARKERS;
use crate::sweep::{left_behind, quarantine};

/// From how many loose markers on refs are packed: each costs every reader of refs a file.
const LOOSE_MARKERS: usize = 16;
/// From how many loose branches and tags on.
const LOOSE_REFS: usize = 64;
/// From how many loose objects on objects are packed.
const LOOSE_OBJECTS: usize = 1000;
/// From how many packs on: each is searched for each object.
const PACKS: usize = 10;
/// How often what nothing reaches is looked for.
const PRUNED_EVERY: Duration = Duration::from_hours(7 * 24);
/// Beside HEAD: when that was done last, in milliseconds since 1970.
const PRUNED: &str = "countersign-pruned";

/// What a git or a server that was killed has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Left {
    /// Nothing that has lain long enough.
    #[default]
    Nothing,
    /// Something that is to be swept.
    Something,
}

/// What is due; each part costs more than the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// Quarantines of pushes.
    pub quarantines: Left,
    /// Lock files of refs and old temporary objects.
    pub left: Left,
    /// Refs are to be packed into one file.
    pub refs: bool,
    /// Objects are to be packed.
    pub objects: bool,
    /// Objects that nothing reaches are to be thrown away.
    pub prune: bool,
}

impl Due {
    /// Everything.
    pub const ALL: Self =
        Self { quarantines: Left::Something, left: Left::Something, refs: true, objects: true, prune: true };

    /// Whether anything is.
    pub const fn any(self) -> bool {
        self.takes_objects() || matches!(self.left, Left::Something) || self.refs || self.objects
    }

    /// Whether anything is that takes the objects alone.
    pub const fn takes_objects(self) -> bool {
        matches!(self.quarantines, Left::Something) || self.prune
    }

    /// What is left to do while pushes are on their way.
    #[must_use]
    pub const fn beside_pushes(self) -> Self {
        Self { quarantines: Left::Nothing, prune: false, ..self }
    }
}

impl GitHost {
    /// What the repository `id` needs at `now`. A repository that was never pruned begins to count today.
    pub async fn due(&self, id: ResourceId, now: Timestamp) -> Result<Due> {
        let path = self.path(id);
        blocking(move || look(&path, now)).await
    }
}

fn look(path: &Path, now: Timestamp) -> Result<Due> {
    let refs = count(&path.join(MARKERS), LOOSE_MARKERS) >= LOOSE_MARKERS
        || count(&path.join("refs/heads"), LOOSE_REFS) + count(&path.join("refs/tags"), LOOSE_REFS)
            >= LOOSE_REFS;
    let packs = std::fs::read_dir(path.join("objects/pack")).map_or(0, |list| {
        list.flatten().filter(|entry| entry.path().extension().is_some_and(|end| end == "pack")).count()
    });
    let objects = packs >= PACKS || loose_objects(&path.join("objects")) >= LOOSE_OBJECTS;
    let every = i64::try_from(PRUNED_EVERY.as_millis()).unwrap_or(i64::MAX);
    let pruned = pruned_at(path);
    if pruned.is_none() {
        note_pruned(path, now)?;
    }
    let prune = pruned.is_some_and(|at| now.millis() - at >= every);
    let left = |found| if found { Left::Something } else { Left::Nothing };
    let quarantines = left(quarantine::is_left(&path.join("objects"))?);
    Ok(Due { quarantines, left: left(left_behind(path)?), refs, objects, prune })
}

fn pruned_at(path: &Path) -> Option<i64> {
    std::fs::read_to_string(path.join(PRUNED)).ok()?.trim().parse().ok()
}

/// Remembers that the repository was pruned.
pub(super) fn note_pruned(path: &Path, now: Timestamp) -> Result<()> {
    let file = path.join(PRUNED);
    std::fs::write(&file, now.millis().to_string()).map_err(GitError::disk("write", file))
}

/// The files below a folder, at most `most`.
fn count(folder: &Path, most: usize) -> usize {
    let (mut folders, mut found) = (vec![folder.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        let Ok(list) = std::fs::read_dir(folder) else { continue };
        for entry in list.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) | Err(_) => found += 1,
            }
            if found >= most {
                return most;
            }
        }
    }
    found
}

/// The loose objects, at most [`LOOSE_OBJECTS`]: the folders are those of the first byte of their ids.
fn loose_objects(objects: &Path) -> usize {
    let mut found = 0;
    for first in 0..=u8::MAX {
        found += count(&objects.join(format!("{first:02x}")), LOOSE_OBJECTS - found);
        if found >= LOOSE_OBJECTS {
            break;
        }
    }
    found
}
