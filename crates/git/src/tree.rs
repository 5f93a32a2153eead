//! What lies at a path of a commit: a file, or a folder and its entries, a page at a time.

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::tree_path::TreePath;
use gix::bstr::ByteSlice as _;
use gix::objs::TreeRef;
use gix::objs::tree::EntryKind as Mode;

use crate::bounded::MOST_TREE;
use crate::error::{GitError, Result};
use crate::repo::{Repo, from_gix, to_gix};

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file, executable or not.
    File,
    /// A folder.
    Folder,
    /// A symbolic link. It is never followed.
    Symlink,
    /// A commit of another repository.
    Submodule,
}

impl EntryKind {
    pub(crate) const fn of(mode: Mode) -> Self {
        match mode {
            Mode::Tree => Self::Folder,
            Mode::Blob | Mode::BlobExecutable => Self::File,
            Mode::Link => Self::Symlink,
            Mode::Commit => Self::Submodule,
        }
    }
}

/// What was found at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: EntryKind,
    /// Its object; of a submodule, a commit that is not in this repository.
    pub oid: Oid,
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name in the folder.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
    /// How many bytes a file has, or the target of a link.
    pub size: Option<u64>,
}

/// Which part of a long answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many entries or lines to skip.
    pub offset: usize,
    /// How many to give.
    pub limit: usize,
}

/// A page of a folder's entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The entries, in Git's order.
    pub entries: Vec<Entry>,
    /// How many the folder has.
    pub total: usize,
}

impl Repo {
    /// What lies at `path` in `commit`, or `None`. The empty path is the root; slashes at either
    /// end mean nothing, and no part of a path ever means "the folder above".
    pub fn find(&self, commit: Oid, path: impl AsRef<[u8]>) -> Result<Option<Node>> {
        let commit = self.small_commit(commit)?;
        let root = commit.tree_id().map_err(GitError::engine("read a commit"))?;
        self.find_below(from_gix(&root)?, &TreePath::new(path))
    }

    /// The same, from the root's own object.
    pub(crate) fn find_below(&self, root: Oid, path: &TreePath) -> Result<Option<Node>> {
        let mut here = Node { kind: EntryKind::Folder, oid: root };
        let parts = path.as_bytes().split(|byte| *byte == b'/');
        for part in parts.filter(|_| !path.is_root()) {
            if here.kind != EntryKind::Folder {
                return Ok(None);
            }
            let data = self.tree_data(here.oid)?;
            let tree = decode(&data)?;
            let Some(entry) = tree.entries.iter().find(|entry| entry.filename.as_bytes() == part) else {
                return Ok(None);
            };
            here = Node { kind: EntryKind::of(entry.mode.kind()), oid: from_gix(entry.oid)? };
        }
        Ok(Some(here))
    }

    /// A page of the entries of the folder `oid`.
    pub fn folder(&self, oid: Oid, page: Page) -> Result<Folder> {
        let data = self.tree_data(oid)?;
        let tree = decode(&data)?;
        let mut entries = Vec::new();
        for entry in tree.entries.iter().skip(page.offset).take(page.limit) {
            let kind = EntryKind::of(entry.mode.kind());
            let size = match kind {
                EntryKind::File | EntryKind::Symlink => Some(self.size_of(from_gix(entry.oid)?)?),
                EntryKind::Folder | EntryKind::Submodule => None,
            };
            entries.push(Entry { name: entry.filename.to_str_lossy().into_owned(), kind, size });
        }
        Ok(Folder { entries, total: tree.entries.len() })
    }

    /// The bytes of a folder's object, when they are not absurdly many.
    pub(crate) fn tree_data(&self, oid: Oid) -> Result<Vec<u8>> {
        if self.size_of(oid)? > MOST_TREE {
            return Err(GitError::TooMuch { what: "a folder" });
        }
        let tree = self.gix.find_tree(to_gix(oid)).map_err(GitError::engine("read a folder"))?;
        Ok(tree.detach().data)
    }

    /// How many bytes an object has, without reading it.
    pub(crate) fn size_of(&self, oid: Oid) -> Result<u64> {
        let header = self.gix.find_header(to_gix(oid)).map_err(GitError::engine("look for an object"))?;
        Ok(header.size())
    }
}

pub(crate) fn decode(data: &[u8]) -> Result<TreeRef<'_>> {
    TreeRef::from_bytes(data, gix::hash::Kind::Sha1)
        .map_err(|_| GitError::Damaged { what: "a folder".into() })
}
