//! The last step of making a repository: its folder is whole, and its row and its log say so.

use std::collections::BTreeMap;

use countersign_core::gitnest::branch::BranchName;
use countersign_core::gitnest::oid::Oid;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use countersign_core::time::Timestamp;
use countersign_store::event::{self, NewEvent};
use countersign_store::{Saved, Tx, repository, repository_making, repository_ref};
use serde_json::json;

use crate::actor::Actor;

/// What is known of a folder that is whole.
pub(super) struct Whole {
    /// Its default branch, which is protected from the start.
    pub(super) branch: BranchName,
    /// Its branches and tags.
    pub(super) refs: BTreeMap<String, Oid>,
    /// Who had it made.
    pub(super) actor: Actor,
    /// How, in a word or two.
    pub(super) summary: &'static str,
}

impl Whole {
    /// Marks the repository as ready, once, and begins its log.
    pub(super) async fn save(&self, t: &Tx<'_>, id: ResourceId, now: Timestamp) -> Result<Saved, Problem> {
        let branch = self.branch.to_string();
        let protected = json!([branch]).to_string();
        let saved = repository::save_ready(t, id, now, &branch, &protected).await?;
        if saved != Saved::Done(()) {
            return Ok(saved);
        }
        let refs: Vec<_> = self.refs.iter().map(|(name, oid)| (name.clone(), oid.to_string())).collect();
        repository_making::end(t, id).await?;
        repository_ref::fill(t, id, &refs).await?;
        let event = NewEvent {
            kind: "repository.created".to_owned(),
            at: now,
            actor: self.actor.json(),
            summary: self.summary.to_owned(),
            refs: json!({ "default_branch": branch }).to_string(),
        };
        event::append(t, id, event).await?;
        Ok(saved)
    }
}
