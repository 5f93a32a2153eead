//! Prove: that rows, refs, the audit log and the signatures of what was restored are those of the backup.

use std::collections::BTreeMap;
use std::sync::Arc;

use countersign_core::backup::refs_of_moment;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_git::GitHost;
use countersign_git::sign::{Signature, Signer};
use countersign_store::{Db, repository_ref, restored};

use super::{Proofs, fill, refs, repositories_of};
use crate::audit;
use crate::backup::read::Archive;
use crate::git_problem::git_problem;

/// How many of the commits that were approved last are looked at.
const COMMITS: i64 = 1000;

/// All of it, in the order in which a person would ask.
pub(super) async fn all(
    (db, git, signer): (&Db, &GitHost, &Signer),
    archive: &Arc<Archive>,
    proofs: &mut Proofs<'_>,
) -> Result<(), Problem> {
    let source = Arc::clone(archive);
    let rows = db.read(move |t| Box::pin(async move { fill::counted(t, &source).await })).await?;
    proofs.add("rows are in the database", rows);
    let told = told(db, git, archive).await?;
    proofs.add("branches and tags are where the database says", told);
    let sealed = audit::whole(db, signer).await?;
    let (_, records) = sealed.map_err(|fault| wrong(format!("The audit log: {fault}")))?;
    proofs.add("records of the audit log are as they were sealed", records);
    let commits = signed(db, signer).await?;
    proofs.add("commits that were approved last carry the server's signature", commits);
    Ok(())
}

fn wrong(sentence: String) -> Problem {
    Problem::new(Code::RestoreNotProven, sentence)
}

/// Holds the refs of each repository against the backup and against the store.
async fn told(db: &Db, git: &GitHost, archive: &Archive) -> Result<u64, Problem> {
    let ready = db.read(|t| Box::pin(restored::ready(t))).await.map_err(Problem::from)?;
    let mut ready: Vec<ResourceId> = ready
        .iter()
        .map(|(id, _)| ResourceId::parse(id).map_err(Problem::internal))
        .collect::<Result<_, _>>()?;
    let mut backed: Vec<_> = repositories_of(archive).collect();
    ready.sort_unstable();
    backed.sort_unstable();
    if ready != backed {
        return Err(wrong("The database knows other repositories than those that were restored.".to_owned()));
    }
    let mut count = 0;
    for id in ready {
        let list = refs(archive, id)?;
        if git.refs_of_people(id).await.map_err(git_problem)? != list.refs {
            return Err(wrong(format!(
                "The branches and tags of repository {id} are not those of the backup."
            )));
        }
        let rows = db.read(move |t| Box::pin(repository_ref::list(t, id))).await.map_err(Problem::from)?;
        let mut seen = BTreeMap::new();
        for row in rows {
            seen.insert(row.name, Oid::parse(&row.oid).map_err(Problem::internal)?);
        }
        if refs_of_moment(seen, &list.refs) != list.refs {
            return Err(wrong(format!("Repository {id} is not where the database says that it is.")));
        }
        count += list.refs.len() as u64;
    }
    Ok(count)
}

async fn signed(db: &Db, signer: &Signer) -> Result<u64, Problem> {
    let last = db.read(|t| Box::pin(restored::executed(t, COMMITS))).await.map_err(Problem::from)?;
    for (proposal, _, bytes) in &last {
        match signer.verify(bytes) {
            Signature::Good(_) => {}
            Signature::Bad | Signature::Unknown | Signature::Unsigned => {
                return Err(wrong(format!(
                    "The commit of proposal {proposal} is not signed by a key of this server."
                )));
            }
        }
    }
    Ok(last.len() as u64)
}
