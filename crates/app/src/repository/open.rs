//! What reading a repository begins with: its row, and the commit that is named.

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_git::revision::Revision;
use countersign_store::Tx;
use countersign_store::repository::{self, Repository};

/// The row of a repository whose folder is complete.
pub(super) async fn ready(t: &Tx<'_>, id: ResourceId) -> Result<Repository, Problem> {
    let row = repository::find(t, id).await?;
    // The words of the gate, so that one that is nowhere answers as one of somebody else does.
    row.filter(|row| row.ready_at.is_some()).ok_or_else(|| Problem::not_found("resource"))
}

/// Which commit is asked for: a branch or a full commit id, else the default branch.
pub(super) fn revision(asked: Option<&str>, default_branch: &str) -> Result<Revision, Problem> {
    match asked {
        Some(text) => Revision::parse(text).map_err(|rule| {
            Problem::invalid("ref", format!("a branch or a commit id of 40 digits ({rule})"))
        }),
        None => BranchName::parse(default_branch)
            .map(Revision::Branch)
            .map_err(|rule| Problem::internal(rule.to_string())),
    }
}

/// The refusal of a revision that names nothing.
pub(super) fn nowhere(revision: &Revision) -> Problem {
    match revision {
        Revision::Branch(branch) => {
            Problem::new(Code::BranchNotFound, format!("There is no branch {branch} in this repository."))
                .fact("branch", branch.as_str())
        }
        Revision::Commit(oid) => no_commit(*oid),
    }
}

/// The refusal of a commit that no branch leads to.
pub(super) fn no_commit(oid: Oid) -> Problem {
    Problem::new(Code::BranchNotFound, format!("No branch of this repository leads to the commit {oid}."))
        .fact("commit", oid.to_string())
}
