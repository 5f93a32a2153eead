//! What is left of the bounds of a change, and what it lets through.

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;

use super::lines::Compared;
use super::{Body, Bounds, Change, FileDiff, Side};
use crate::error::Result;
use crate::repo::Repo;
use crate::tree::EntryKind;

/// What is left of the bounds.
pub(super) struct Budget {
    file_lines: usize,
    lines: usize,
    file_bytes: u64,
    bytes: u64,
    context: u32,
}

impl Budget {
    pub(super) const fn of(bounds: Bounds) -> Self {
        let Bounds { files: _, file_lines, lines, file_bytes, bytes, context } = bounds;
        Self { file_lines, lines, file_bytes, bytes, context }
    }

    /// Whether there is room for the sides of one more file, by sizes alone; their bytes then count as used.
    pub(super) fn takes(&mut self, repo: &Repo, sides: &[Option<(EntryKind, Oid)>]) -> Result<bool> {
        let mut bytes = 0_u64;
        for (kind, oid) in sides.iter().flatten() {
            let size = match kind {
                EntryKind::File | EntryKind::Symlink => repo.size_of(*oid)?,
                EntryKind::Folder | EntryKind::Submodule => 0,
            };
            if size > self.file_bytes {
                return Ok(false);
            }
            bytes = bytes.saturating_add(size);
        }
        if self.lines == 0 || bytes > self.bytes {
            return Ok(false);
        }
        self.bytes -= bytes;
        Ok(true)
    }

    /// Compares the two sides of a file. It knows of no modes and no other name.
    pub(super) fn file(&mut self, path: TreePath, old: Option<&Side>, new: Option<&Side>) -> FileDiff {
        let change = match (old, new) {
            (None, _) => Change::Added,
            (Some(_), None) => Change::Removed,
            (Some(_), Some(_)) => Change::Modified,
        };
        let (before, after) = match (text(old), text(new)) {
            (Ok(before), Ok(after)) => (before, after),
            (Err(body), _) | (_, Err(body)) => {
                let (from, old_mode, new_mode) = (None, None, None);
                return FileDiff { path, from, change, old_mode, new_mode, added: 0, removed: 0, body };
            }
        };
        let (compared, most) = (Compared::of(before, after), self.file_lines.min(self.lines));
        let (added, removed) = (compared.added(), compared.removed());
        let body = match compared.hunks(most, self.context) {
            Some(hunks) => {
                self.lines -= hunks.iter().map(|hunk| hunk.lines.len()).sum::<usize>().min(self.lines);
                Body::Text(hunks)
            }
            None => Body::TooLarge(added + removed),
        };
        FileDiff { path, from: None, change, old_mode: None, new_mode: None, added, removed, body }
    }
}

/// The text of a side, of none the empty one; or what is shown instead.
fn text(side: Option<&Side>) -> std::result::Result<&[u8], Body> {
    match side {
        None => Ok(&[]),
        Some(Side::Text(bytes)) => Ok(bytes),
        Some(Side::Binary) => Err(Body::Binary),
        Some(Side::NotRead) => Err(Body::NotCompared),
    }
}
