//! What a moved ref leaves in the store: where it was last seen, and an event.

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::push_log::{Move, summary, summary_of_recovered};
use countersign_core::gitnest::push_policy::Motion;
use countersign_core::id::{ResourceId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_store::event::{self, NewEvent};
use countersign_store::{Saved, Tx, Wake, repository_ref};
use serde_json::json;

use super::accept::Wanted;
use crate::actor::Actor;

/// The kind of the event of a push.
const PUSH: &str = "push";
/// The kind of one whose story a crash took.
const RECOVERED: &str = "push (recovered)";
/// The topic on which pages with repositories wait.
const TOPIC: &str = "repositories";

/// One event of the log of a repository, with the move of a ref that it tells of.
#[derive(Clone, Debug)]
pub(super) struct Story {
    name: String,
    moved: Move,
    kind: &'static str,
    actor: Actor,
    summary: String,
    forced: bool,
}

impl Story {
    /// A ref that a push moved.
    pub(super) fn of(wanted: &Wanted, actor: Actor) -> Self {
        let Wanted { update, motion, commits } = wanted;
        Self {
            name: update.name.full(),
            moved: Move { old: update.old, new: update.new },
            kind: PUSH,
            actor,
            summary: summary(&update.name, *motion, *commits),
            forced: *motion == Motion::Forced,
        }
    }

    /// A ref of which nobody knows any more who moved it.
    pub(super) fn recovered(name: &str, moved: Move) -> Self {
        let summary = summary_of_recovered(&countersign_core::gitnest::push::visible(name), moved);
        Self { name: name.to_owned(), moved, kind: RECOVERED, actor: Actor::Server, summary, forced: false }
    }

    /// The facts, for log and audit.
    pub(super) fn facts(&self) -> serde_json::Value {
        let Move { old, new } = self.moved;
        json!({ "ref": self.name, "old": old, "new": new, "forced": self.forced })
    }
}

/// Whether what was seen leads up to what is to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// It is told.
    Yes,
    /// Nothing was written: a move before this one is not told yet.
    Behind,
}

/// Appends the stories in their order. Call it last in the transaction.
pub(super) async fn tell(
    t: &Tx<'_>,
    (repository, workspace): (ResourceId, WorkspaceId),
    stories: &[Story],
    at: Timestamp,
) -> Result<Told, Problem> {
    let mut seen = std::collections::BTreeMap::new();
    for Story { name, moved, .. } in stories {
        let at = match seen.get(name) {
            Some(at) => *at,
            None => at_of(repository_ref::find(t, repository, name).await?)?,
        };
        if at != moved.old {
            return Ok(Told::Behind);
        }
        seen.insert(name.clone(), moved.new);
    }
    for Story { name, moved, .. } in stories {
        let (old, new) = (moved.old.map(|oid| oid.to_string()), moved.new.map(|oid| oid.to_string()));
        match repository_ref::save(t, repository, name, old.as_deref(), new.as_deref()).await? {
            Saved::Done(()) => {}
            Saved::Changed | Saved::Missing => {
                return Err(Problem::new(Code::RepositoryBusy, "Another server tells of the same ref."));
            }
        }
    }
    for story in stories {
        let event = NewEvent {
            kind: story.kind.to_owned(),
            at,
            actor: story.actor.json(),
            summary: story.summary.clone(),
            refs: story.facts().to_string(),
        };
        event::append(t, repository, event).await?;
    }
    t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
    Ok(Told::Yes)
}

/// Where a ref is, as far as that can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Under a shared lock: somebody may be between a move and its story.
    Moving,
    /// Under the exclusive lock: it is there, and nobody is about to tell of it.
    Still(Option<Oid>),
}

/// Notes that an approval moved a branch, which its own event tells of. What is missing before this move is told as
/// recovered where nobody else will tell it.
pub(crate) async fn follow_approval(
    t: &Tx<'_>,
    (repository, workspace): (ResourceId, WorkspaceId),
    (name, moved): (&str, Move),
    (sight, at): (Sight, Timestamp),
) -> Result<Told, Problem> {
    let seen = at_of(repository_ref::find(t, repository, name).await?)?;
    // A branch that was seen where it is now, or behind this move, has been told of.
    if seen == moved.new || sight == Sight::Still(seen) {
        return Ok(Told::Yes);
    }
    if seen != moved.old {
        if sight == Sight::Moving {
            return Ok(Told::Behind);
        }
        let gap = Story::recovered(name, Move { old: seen, new: moved.old });
        tell(t, (repository, workspace), &[gap], at).await?;
    }
    let (old, new) = (moved.old.map(|oid| oid.to_string()), moved.new.map(|oid| oid.to_string()));
    match repository_ref::save(t, repository, name, old.as_deref(), new.as_deref()).await? {
        Saved::Done(()) => Ok(Told::Yes),
        Saved::Changed | Saved::Missing => {
            Err(Problem::new(Code::RepositoryBusy, "Another server tells of the same branch."))
        }
    }
}

/// A ref as it stands in the store.
pub(super) fn at_of(oid: Option<String>) -> Result<Option<Oid>, Problem> {
    oid.map(|oid| Oid::parse(&oid)).transpose().map_err(Problem::internal)
}
