//! Reading refs: tips, markers, branches.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::{ProposalId, ResourceId};
use gix::RefStore;
use gix::refs::{Reference, Target};

use crate::error::{GitError, Result};
use crate::repo::{Repo, from_gix};

/// How many branches are listed at most.
pub const MOST_BRANCHES: usize = 1000;
/// How many commits are walked at most to answer a question about history.
pub(crate) const MOST_COMMITS: usize = 500_000;

/// A ref that this server reads or moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RefName {
    /// `refs/heads/…`
    Branch(BranchName),
    /// `refs/proposals/<id>`: the witness that a proposal's commit was about to land.
    Marker(ProposalId),
}

impl RefName {
    /// The full name.
    pub fn full(&self) -> String {
        match self {
            Self::Branch(branch) => branch.full(),
            Self::Marker(proposal) => format!("{MARKERS}{proposal}"),
        }
    }
}

/// Where markers live: hidden from clients, never writable by a push.
pub(crate) const MARKERS: &str = "refs/proposals/";

/// A branch and the commit at its tip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchTip {
    /// Its short name.
    pub name: BranchName,
    /// Its tip.
    pub tip: Oid,
}

/// Some branches, and whether there are more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// In the order of their names.
    pub items: Vec<BranchTip>,
    /// Whether the list was cut off.
    pub truncated: bool,
}

/// The refs of a repository, without its objects and its configuration: what they point at this moment.
pub struct Refs<'a> {
    id: ResourceId,
    path: &'a Path,
    store: RefStore,
}

impl std::fmt::Debug for Refs<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Refs").field("id", &self.id).finish_non_exhaustive()
    }
}

impl<'a> Refs<'a> {
    /// The refs of the repository at `path`, which must have them as files.
    pub(crate) fn at(id: ResourceId, path: &'a Path) -> Result<Self> {
        if !path.join("HEAD").is_file() {
            return Err(GitError::Missing(id));
        }
        if path.join("reftable").exists() {
            return Err(GitError::Unsupported { reason: "its extensions.refStorage is reftable".into() });
        }
        Ok(Self { id, path, store: RefStore::at(path.to_owned(), gix::hash::Kind::Sha1) })
    }

    /// The tip of a branch, or `None` where it does not exist.
    pub fn tip(&self, branch: &BranchName) -> Result<Option<Oid>> {
        self.find(&RefName::Branch(branch.clone()))
    }

    /// What the marker of a proposal points at, or `None` where it does not exist.
    pub fn marker(&self, proposal: ProposalId) -> Result<Option<Oid>> {
        self.find(&RefName::Marker(proposal))
    }

    /// What a ref points at, or `None` where it does not exist.
    pub fn find(&self, name: &RefName) -> Result<Option<Oid>> {
        find(&self.store, &name.full())
    }

    /// The files themselves.
    pub(crate) const fn store(&self) -> &RefStore {
        &self.store
    }

    /// Where the repository lies.
    pub(crate) const fn path(&self) -> &Path {
        self.path
    }
}

/// What a ref points at, or `None` where it does not exist.
///
/// The loose file is read first and packed-refs after it: a ref leaves its file only once it is packed. gix's
/// own look-up reads in the other order and gives an old value when refs are packed in between.
fn find(store: &RefStore, full: &str) -> Result<Option<Oid>> {
    let loose = store.try_find_loose(full).map_err(GitError::engine("read a ref"))?;
    let found = match loose {
        Some(loose) => Some(Reference::from(loose)),
        None => find_packed(store, full)?,
    };
    match found.map(|found| found.target) {
        None => Ok(None),
        Some(Target::Object(id)) => from_gix(&id).map(Some),
        Some(Target::Symbolic(_)) => {
            Err(GitError::Unsupported { reason: format!("{full} is a symbolic ref") })
        }
    }
}

fn find_packed(store: &RefStore, full: &str) -> Result<Option<Reference>> {
    let wrong = "read packed-refs";
    let packed = store.open_packed_buffer().map_err(GitError::engine(wrong))?;
    let Some(packed) = packed else { return Ok(None) };
    let found = packed.try_find(full).map_err(GitError::engine(wrong))?;
    Ok(found.map(Into::into))
}

/// Whether a name holds `part`, whatever its case.
pub(crate) fn holding(part: &str) -> impl Fn(&BranchName) -> bool {
    let part = part.to_lowercase();
    move |name| part.is_empty() || name.as_str().to_lowercase().contains(&part)
}

impl Repo {
    /// The tip of a branch, or `None` where it does not exist.
    pub fn tip(&self, branch: &BranchName) -> Result<Option<Oid>> {
        find(&self.gix.refs, &branch.full())
    }

    /// The branches in the order of their names, at most [`MOST_BRANCHES`].
    pub fn branches(&self) -> Result<Branches> {
        self.branches_with("", &AtomicBool::new(false))
    }

    /// Those whose names hold `part`, whatever its case, as far as they were seen when `stop` was raised.
    pub fn branches_with(&self, part: &str, stop: &AtomicBool) -> Result<Branches> {
        let holds = holding(part);
        let refs = self.gix.references().map_err(GitError::engine("list refs"))?;
        let mut list = Branches::default();
        for found in refs.local_branches().map_err(GitError::engine("list branches"))? {
            let found = found.map_err(GitError::engine("read a branch"))?;
            // A branch with a name that we refuse cannot be proposed to; it is not shown either.
            let Ok(name) = BranchName::parse(&found.name().shorten().to_string()) else { continue };
            let Some(id) = found.try_id() else { continue };
            if !holds(&name) {
                continue;
            }
            if list.items.len() == MOST_BRANCHES || stop.load(Ordering::Relaxed) {
                list.truncated = true;
                break;
            }
            list.items.push(BranchTip { name, tip: from_gix(&id)? });
        }
        Ok(list)
    }

    /// The branch that HEAD names, where it has a commit.
    pub fn head_branch(&self) -> Result<Option<BranchName>> {
        let name = self.gix.head_name().map_err(GitError::engine("read HEAD"))?;
        Ok(name.and_then(|name| BranchName::parse(&name.shorten().to_string()).ok()))
    }
}
