//! From a base and proposed files to a tree: what may be written where, and nothing else.
//!
//! No index and no work tree: a symbolic link is never followed, a filter never run.

use std::collections::HashMap;

use countersign_core::gitnest::fold;
use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::path::{PathBreach, Rule};
use countersign_core::gitnest::proposed::{ProposedFile, check_files};
use gix::bstr::BStr;
use gix::objs::tree::EntryKind;
use gix::objs::{Kind, WriteTo as _};
use gix::validate::path::component;

use crate::error::{GitError, Result};
use crate::objects::{NewObjects, NewTree};
use crate::repo::{Repo, from_gix};

/// A second opinion on names, for the file systems of every client.
const NAMES: component::Options =
    component::Options { protect_windows: true, protect_hfs: true, protect_ntfs: true };

/// What comes of applying files to a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Planned {
    /// This tree, in memory.
    Tree(NewTree),
    /// The tree of the base, unchanged.
    NothingChanges,
    /// Nothing: a path or content breaks a rule.
    Refused(PathBreach),
}

impl Repo {
    /// Applies `files` to the tree of the commit `base`. A replaced file keeps its mode, a new
    /// one is 100644. The rules of paths and contents are held here too, whoever asks. Nothing is written.
    pub fn plan(&self, base: Oid, files: &[ProposedFile]) -> Result<Planned> {
        if let Err(breach) = check_files(files) {
            return Ok(Planned::Refused(breach));
        }
        let commit = self.small_commit(base)?;
        let root = commit.tree().map_err(GitError::engine("read the base tree"))?;
        let mut folders = Folders { engine: &self.gix, listed: HashMap::new() };
        // Without its repository the editor leaves out no object because one of that name is there: a power cut may
        // have left it empty.
        let mut editor = root.edit().map_err(GitError::engine("edit the base tree"))?.detach();
        let mut made = NewObjects::default();
        for file in files {
            let kind = match folders.place(root.id, &file.path)? {
                Ok(kind) => kind,
                Err(rule) => return Ok(Planned::Refused(PathBreach { path: file.path.clone(), rule })),
            };
            for part in file.path.split('/') {
                gix::validate::path::component(part.into(), None, NAMES)
                    .map_err(GitError::engine("take the name of a file"))?;
            }
            let blob = made.add(Kind::Blob, file.content.clone().into_bytes())?;
            let parts = file.path.split('/').map(BStr::new);
            editor.upsert(parts, kind, blob).map_err(GitError::engine("edit the tree"))?;
        }
        let tree = editor.write(|tree| {
            let mut data = Vec::new();
            tree.write_to(&mut data).map_err(GitError::disk("write a tree", "memory"))?;
            made.add(Kind::Tree, data)
        })?;
        Ok(if tree == root.id { Planned::NothingChanges } else { Planned::Tree(made.tree(from_gix(&tree)?)) })
    }
}

/// The folders of the base that paths lead through, each read once.
struct Folders<'e> {
    engine: &'e gix::Repository,
    listed: HashMap<gix::ObjectId, Vec<Entry>>,
}

#[derive(Clone)]
struct Entry {
    name: Vec<u8>,
    kind: EntryKind,
    id: gix::ObjectId,
}

impl Folders<'_> {
    /// The kind with which a file is written at `path`, or the rule that keeps it from there.
    fn place(&mut self, root: gix::ObjectId, path: &str) -> Result<std::result::Result<EntryKind, Rule>> {
        let mut folder = root;
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let is_last = parts.peek().is_none();
            let entries = self.list(folder)?;
            let Some(found) = entries.iter().find(|entry| entry.name == part.as_bytes()) else {
                let clash = entries.iter().any(|entry| is_same_name(&entry.name, part));
                return Ok(if clash { Err(Rule::CaseClash) } else { Ok(EntryKind::Blob) });
            };
            match (found.kind, is_last) {
                (EntryKind::Tree, false) => folder = found.id,
                (EntryKind::Tree, true) => return Ok(Err(Rule::FileOverFolder)),
                (EntryKind::Blob | EntryKind::BlobExecutable, false) => return Ok(Err(Rule::FolderOverFile)),
                (kind @ (EntryKind::Blob | EntryKind::BlobExecutable), true) => return Ok(Ok(kind)),
                (EntryKind::Link, _) => return Ok(Err(Rule::ThroughSymlink)),
                (EntryKind::Commit, _) => return Ok(Err(Rule::IntoSubmodule)),
            }
        }
        Ok(Err(Rule::Empty))
    }

    fn list(&mut self, folder: gix::ObjectId) -> Result<&[Entry]> {
        if !self.listed.contains_key(&folder) {
            let tree =
                self.engine.find_tree(folder).map_err(GitError::engine("read a folder of the base"))?;
            let decoded = tree.decode().map_err(GitError::engine("read a folder of the base"))?;
            let entries = decoded.entries.iter().map(|entry| Entry {
                name: entry.filename.to_vec(),
                kind: entry.mode.kind(),
                id: entry.oid.to_owned(),
            });
            self.listed.insert(folder, entries.collect());
        }
        Ok(self.listed.get(&folder).map_or(&[], Vec::as_slice))
    }
}

fn is_same_name(there: &[u8], wanted: &str) -> bool {
    if there.is_ascii() && wanted.is_ascii() {
        return there.eq_ignore_ascii_case(wanted.as_bytes());
    }
    std::str::from_utf8(there).is_ok_and(|there| fold::key(there) == fold::key(wanted))
}
