//! A folder as people read it: folders first, names as bytes, sizes of what is shown alone.

use countersign_core::gitnest::oid::Oid;

use crate::error::Result;
use crate::repo::{Repo, from_gix};
use crate::tree::{EntryKind, Page, decode};

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name in the folder, in whatever encoding.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
    /// Its object.
    pub oid: Oid,
    /// How many bytes a file has, or the target of a link.
    pub size: Option<u64>,
}

/// A page of a folder's entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Folders first, each part in Git's order.
    pub items: Vec<Item>,
    /// How many the folder has.
    pub total: usize,
    /// The file that introduces the folder: its name and its object.
    pub readme: Option<(Vec<u8>, Oid)>,
}

impl Repo {
    /// A page of the entries of the folder `oid`.
    pub fn listing(&self, oid: Oid, page: Page) -> Result<Listing> {
        let data = self.tree_data(oid)?;
        let mut entries = decode(&data)?.entries;
        // The sort is stable: within a kind, Git's order stays.
        entries.sort_by_key(|entry| rank(EntryKind::of(entry.mode.kind())));
        let mut items = Vec::new();
        for entry in entries.iter().skip(page.offset).take(page.limit) {
            let (kind, oid) = (EntryKind::of(entry.mode.kind()), from_gix(entry.oid)?);
            let size = match kind {
                EntryKind::File | EntryKind::Symlink => Some(self.size_of(oid)?),
                EntryKind::Folder | EntryKind::Submodule => None,
            };
            items.push(Item { name: entry.filename.to_vec(), kind, oid, size });
        }
        let files = entries.iter().filter(|entry| EntryKind::of(entry.mode.kind()) == EntryKind::File);
        let readme =
            files.filter_map(|entry| Some((standing(entry.filename)?, entry))).min_by_key(|(rank, _)| *rank);
        let readme = readme
            .map(|(_, entry)| Ok::<_, crate::GitError>((entry.filename.to_vec(), from_gix(entry.oid)?)));
        Ok(Listing { items, total: entries.len(), readme: readme.transpose()? })
    }
}

const fn rank(kind: EntryKind) -> u8 {
    match kind {
        EntryKind::Folder | EntryKind::Submodule => 0,
        EntryKind::File | EntryKind::Symlink => 1,
    }
}

/// Which of several files introduces a folder; `None` for what never does.
fn standing(name: &[u8]) -> Option<usize> {
    let name = name.to_ascii_lowercase();
    [&b"readme.md"[..], b"readme.markdown", b"readme", b"readme.txt", b"readme.rst"]
        .iter()
        .position(|known| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_markdown_file_introduces_a_folder_before_any_other() {
        assert!(standing(b"ReadMe.md") < standing(b"README.txt"));
        assert_eq!((standing(b"readme.html"), standing(b"xreadme.md")), (None, None));
    }
}
