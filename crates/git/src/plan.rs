//! How proposed files fit on a base, and the tree that they make on it. No index, no work tree.

use std::collections::HashMap;

use countersign_core::gitnest::fold;
use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::path::{PathBreach, Rule};
use countersign_core::gitnest::proposed::ProposedFile;
use gix::objs::Kind;
use gix::objs::tree::EntryKind;

use crate::error::{GitError, Result};
use crate::repo::{Repo, from_gix, to_gix};

/// How files fit on a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    /// They fit, and at least one of them differs from what is there.
    Changes,
    /// They fit, and all of it is there already.
    Nothing,
    /// One of them must not stand where it wants to.
    Refused(PathBreach),
}

/// A name in a folder of the base.
#[derive(Clone, Debug)]
struct Standing {
    name: Vec<u8>,
    kind: EntryKind,
    id: gix::ObjectId,
}

/// The folders of a base that were looked at, each by its path.
struct Folders<'r> {
    repo: &'r Repo,
    seen: HashMap<String, HashMap<String, Vec<Standing>>>,
}

impl Repo {
    /// Holds files against the tree of `base`; writes nothing. Every other rule was checked before.
    pub fn fit(&self, base: Oid, files: &[ProposedFile]) -> Result<Fit> {
        let mut folders = Folders { repo: self, seen: HashMap::new() };
        let root = self.tree_of(base)?;
        let mut changes = false;
        for file in files {
            match folders.place(root, file)? {
                Place::Refused(rule) => return Ok(Fit::Refused(PathBreach { path: file.path.clone(), rule })),
                Place::New => changes = true,
                Place::Over { id, .. } => changes |= id != blob_id(&file.content)?,
            }
        }
        Ok(if changes { Fit::Changes } else { Fit::Nothing })
    }

    /// Writes the blobs and trees of the files on `base`, and gives the tree. The same files on the same base
    /// give the same tree; written before, they stay as they are. A replaced file keeps its mode.
    pub fn write_tree(&self, base: Oid, files: &[ProposedFile]) -> Result<Oid> {
        let mut folders = Folders { repo: self, seen: HashMap::new() };
        let root = self.tree_of(base)?;
        let tree = self.gix.find_tree(root).map_err(GitError::engine("read the base"))?;
        let mut editor = tree.edit().map_err(GitError::engine("edit the base"))?;
        for file in files {
            let kind = match folders.place(root, file)? {
                Place::New => EntryKind::Blob,
                Place::Over { kind, .. } => kind,
                Place::Refused(rule) => {
                    return Err(GitError::Misfit(PathBreach { path: file.path.clone(), rule }));
                }
            };
            let blob = self.gix.write_blob(file.content.as_bytes()).map_err(GitError::engine("write a file"))?;
            editor.upsert(file.path.as_str(), kind, blob).map_err(GitError::engine("put a file into the tree"))?;
        }
        let tree = editor.write().map_err(GitError::engine("write the tree"))?;
        from_gix(&tree)
    }

    /// The tree of a commit.
    pub(crate) fn tree_of(&self, commit: Oid) -> Result<gix::ObjectId> {
        let commit = self.gix.find_commit(to_gix(commit)).map_err(GitError::engine("read the commit"))?;
        Ok(commit.tree_id().map_err(GitError::engine("read the commit"))?.detach())
    }

    /// The first parent of a commit; a repository's first commit has none.
    pub fn first_parent(&self, commit: Oid) -> Result<Option<Oid>> {
        let commit = self.gix.find_commit(to_gix(commit)).map_err(GitError::engine("read the commit"))?;
        commit.parent_ids().next().map(|id| from_gix(&id)).transpose()
    }
}

/// What is where a file wants to go.
enum Place {
    New,
    Over { kind: EntryKind, id: gix::ObjectId },
    Refused(Rule),
}

impl Folders<'_> {
    fn place(&mut self, root: gix::ObjectId, file: &ProposedFile) -> Result<Place> {
        let mut folder = root;
        let parts: Vec<&str> = file.path.split('/').collect();
        let Some((last, parents)) = parts.split_last() else { return Ok(Place::Refused(Rule::Empty)) };
        let mut path = String::new();
        for part in parents {
            match self.find(&path, folder, part)? {
                None => return Ok(Place::New),
                Some(standing) if standing.name != part.as_bytes() => return Ok(Place::Refused(Rule::CaseClash)),
                Some(standing) => match standing.kind {
                    EntryKind::Tree => folder = standing.id,
                    EntryKind::Blob | EntryKind::BlobExecutable => return Ok(Place::Refused(Rule::FolderOverFile)),
                    EntryKind::Link => return Ok(Place::Refused(Rule::ThroughSymlink)),
                    EntryKind::Commit => return Ok(Place::Refused(Rule::IntoSubmodule)),
                },
            }
            path.push_str(part);
            path.push('/');
        }
        Ok(match self.find(&path, folder, last)? {
            None => Place::New,
            Some(standing) if standing.name != last.as_bytes() => Place::Refused(Rule::CaseClash),
            Some(Standing { kind: kind @ (EntryKind::Blob | EntryKind::BlobExecutable), id, .. }) => {
                Place::Over { kind, id }
            }
            Some(Standing { kind: EntryKind::Tree, .. }) => Place::Refused(Rule::FileOverFolder),
            Some(Standing { kind: EntryKind::Link, .. }) => Place::Refused(Rule::ThroughSymlink),
            Some(Standing { kind: EntryKind::Commit, .. }) => Place::Refused(Rule::IntoSubmodule),
        })
    }

    /// What stands in a folder under a name that a forgiving file system takes for `part`.
    fn find(&mut self, path: &str, folder: gix::ObjectId, part: &str) -> Result<Option<Standing>> {
        if !self.seen.contains_key(path) {
            let read = self.read(folder)?;
            self.seen.insert(path.to_owned(), read);
        }
        let names = self.seen.get(path);
        let alike = names.and_then(|names| names.get(&fold::key(part))).map_or(&[][..], Vec::as_slice);
        // Two names of the base may fold alike; one that is spelled exactly so comes first.
        Ok(alike.iter().find(|standing| standing.name == part.as_bytes()).or(alike.first()).cloned())
    }

    fn read(&self, folder: gix::ObjectId) -> Result<HashMap<String, Vec<Standing>>> {
        let mut names: HashMap<String, Vec<Standing>> = HashMap::new();
        let tree = self.repo.gix.find_tree(folder).map_err(GitError::engine("read a folder"))?;
        for entry in tree.iter() {
            let entry = entry.map_err(GitError::engine("read a folder"))?;
            let name = entry.filename().to_vec();
            let standing = Standing { kind: entry.kind(), id: entry.object_id(), name: name.clone() };
            names.entry(fold::key(&String::from_utf8_lossy(&name))).or_default().push(standing);
        }
        Ok(names)
    }
}

fn blob_id(content: &str) -> Result<gix::ObjectId> {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, Kind::Blob, content.as_bytes())
        .map_err(GitError::engine("hash a file"))
}
