//! What a backup shows: the store at one moment, with the objects of every repository that it knows kept from before.

use std::collections::BTreeMap;
use std::time::Duration;

use countersign_core::backup::{RefList, refs_of_moment};
use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_git::GitHost;
use countersign_git::lock::ObjectsKept;
use countersign_store::{Snapshot, repository, repository_ref, restored};

use super::{Step, Tell, store_problem};
use crate::git_problem::git_problem;

/// How long upkeep that throws objects away is waited for.
const PATIENCE: Duration = Duration::from_hours(1);

/// One repository as the store tells of it.
pub(super) struct Told {
    pub(super) id: ResourceId,
    head: BranchName,
    seen: BTreeMap<String, Oid>,
}

/// Takes the picture, in this order: what the store names may be packed afterwards, since nothing of it is thrown away
/// from before on. Whoever made a repository between the two is waited for once more.
pub(super) async fn take(
    database_url: &str,
    git: &GitHost,
    tell: Tell<'_>,
) -> Result<(Snapshot, BTreeMap<ResourceId, ObjectsKept>), Problem> {
    let mut kept = BTreeMap::new();
    loop {
        let snapshot = Snapshot::open(database_url).await.map_err(store_problem)?;
        let snapshot = snapshot.ok_or_else(|| {
            Problem::new(Code::BackupRefused, "There is no database yet.")
                .next("Start the server once, then take a backup.")
        })?;
        let ids = repository::ids(&snapshot.tx()).await.map_err(store_problem)?;
        let ids = ids.iter().map(|id| ResourceId::parse(id).map_err(Problem::internal));
        let ids: Vec<ResourceId> = ids.collect::<Result<_, _>>()?;
        if ids.iter().all(|id| kept.contains_key(id)) {
            return Ok((snapshot, kept));
        }
        drop(snapshot);
        for id in ids.into_iter().filter(|id| !kept.contains_key(id)).collect::<Vec<_>>() {
            tell(&Step::Keep(id));
            kept.insert(id, git.keep_objects(id, PATIENCE).await.map_err(git_problem)?);
        }
    }
}

/// Every repository that is ready in the picture, with its refs.
pub(super) async fn repositories(snapshot: &Snapshot) -> Result<Vec<Told>, Problem> {
    let t = snapshot.tx();
    let mut list = Vec::new();
    for (id, head) in restored::ready(&t).await.map_err(store_problem)? {
        let id = ResourceId::parse(&id).map_err(Problem::internal)?;
        let head = BranchName::parse(&head).map_err(|rule| Problem::internal(rule.to_string()))?;
        let mut seen = BTreeMap::new();
        for row in repository_ref::list(&t, id).await.map_err(store_problem)? {
            seen.insert(row.name, Oid::parse(&row.oid).map_err(Problem::internal)?);
        }
        list.push(Told { id, head, seen });
    }
    Ok(list)
}

impl Told {
    /// The refs that belong to the moment of the picture.
    pub(super) async fn refs(self, git: &GitHost) -> Result<RefList, Problem> {
        let now = git.refs_of_people(self.id).await.map_err(|error| {
            let problem = git_problem(error);
            let sentence = format!("Repository {}: {}", self.id, problem.message);
            Problem { message: sentence, ..problem }
                .next("A backup without it would look whole. Mend it (`countersign doctor` names it), then run it again.")
        })?;
        Ok(RefList { head: self.head, refs: refs_of_moment(self.seen, &now) })
    }
}
