//! Recover: refs that moved without their story, found by comparing them with where they were last seen.
//!
//! Without a lock first; only where something differs the lock of the refs is taken alone, so that no push and no
//! approval is between the move of a ref and its story, and it is looked once more.

use std::collections::BTreeMap;

use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::push::RefUpdate;
use countersign_core::gitnest::push_log::{Move, Own, Told as Telling, still_to_tell};
use countersign_core::id::{AuditId, ResourceId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::time::Timestamp;
use countersign_git::lock::Hold;
use countersign_store::repository_ref;

use super::accept::Accepted;
use super::tell::{Story, Told, tell};
use crate::App;
use crate::actor::Actor;
use crate::fault::Point;
use crate::gate::{Outcome, Record};
use crate::git_problem::git_problem;

/// A push that ended without its story.
#[derive(Clone, Copy, Debug)]
pub struct Push<'a> {
    /// What was allowed.
    pub accepted: &'a Accepted,
    /// What git said that it moved, if it came so far.
    pub moved: Option<&'a [RefUpdate]>,
}

impl Push<'_> {
    /// What is known of its move of one ref.
    fn own(&self, name: &str) -> Option<Own> {
        let wanted = self.accepted.wanted.iter().find(|wanted| wanted.update.name.full() == name)?;
        let own = Move { old: wanted.update.old, new: wanted.update.new };
        match self.moved {
            None => Some(Own::Allowed(own)),
            Some(moved) => moved.contains(&wanted.update).then_some(Own::Made(own)),
        }
    }

    fn story(&self, name: &str) -> Option<Story> {
        let actor = Actor::of(self.accepted.permit.caller());
        let wanted = self.accepted.wanted.iter().find(|wanted| wanted.update.name.full() == name)?;
        Some(Story::of(wanted, actor))
    }
}

/// Tells of what was not told in any repository. One that is busy under another server is left to the next time.
pub async fn recover(app: &App) -> Result<(), Problem> {
    let ids = app
        .db
        .read(|t| Box::pin(async move { Ok::<_, Problem>(countersign_store::repository::ids(t).await?) }))
        .await?;
    for id in ids.iter().filter_map(|id| ResourceId::parse(id).ok()) {
        if let Err(problem) = settle(app, id, None).await {
            let cause = problem.cause.as_deref().map(tracing::field::display);
            tracing::warn!(repository = %id, %problem, cause, "its refs are not told of; the next minute tries again");
        }
    }
    Ok(())
}

/// Tells of what was not told in one repository; a push that ended without its story is named in it.
pub async fn settle(app: &App, id: ResourceId, push: Option<Push<'_>>) -> Result<(), Problem> {
    // The git of a push that ended may still be at its end: it is waited for.
    if push.is_none() && Look::at(app, id).await?.is_none_or(|look| !look.differs()) {
        return Ok(());
    }
    // An approval that was cut short has its own story.
    crate::proposal::recover::settle_all(app, id).await;
    app.faults.at(Point::TakeAloneForRefs);
    let _lock = app.git.lock(id, Hold::Exclusive).await.map_err(git_problem)?;
    match Look::at(app, id).await? {
        Some(look) if look.differs() => look.tell(app, id, push).await,
        Some(_) | None => Ok(()),
    }
}

/// The refs of a repository as they were seen last and as they are.
struct Look {
    workspace: WorkspaceId,
    seen: BTreeMap<String, Oid>,
    now: BTreeMap<String, Oid>,
    /// Those that an unfinished approval will tell of.
    left: Vec<String>,
}

impl Look {
    /// Nothing where there is no finished repository.
    async fn at(app: &App, id: ResourceId) -> Result<Option<Self>, Problem> {
        let read = app.db.read(move |t| {
            Box::pin(async move {
                let row = countersign_store::repository::find(t, id).await?;
                let Some(row) = row.filter(|row| row.ready_at.is_some()) else { return Ok(None) };
                let workspace = WorkspaceId::parse(&row.workspace_id).map_err(Problem::internal)?;
                let left = countersign_store::proposal::executing_branches(t, id).await?;
                Ok::<_, Problem>(Some((workspace, left, repository_ref::list(t, id).await?)))
            })
        });
        let Some((workspace, left, rows)) = read.await?.filter(|_| app.git.exists(id)) else {
            return Ok(None);
        };
        let mut seen = BTreeMap::new();
        for row in rows {
            seen.insert(row.name, Oid::parse(&row.oid).map_err(Problem::internal)?);
        }
        let now = app.git.refs_of_people(id).await.map_err(git_problem)?;
        let left = left.into_iter().map(|branch| format!("refs/heads/{branch}")).collect();
        Ok(Some(Self { workspace, seen, now, left }))
    }

    /// The names of refs that are not where they were seen.
    fn moved(&self) -> impl Iterator<Item = &String> {
        let changed = self.now.iter().filter(|(name, oid)| self.seen.get(*name) != Some(*oid));
        let gone = self.seen.keys().filter(|name| !self.now.contains_key(*name));
        changed.map(|(name, _)| name).chain(gone).filter(|name| !self.left.contains(*name))
    }

    fn differs(&self) -> bool {
        self.moved().next().is_some()
    }

    async fn tell(self, app: &App, id: ResourceId, push: Option<Push<'_>>) -> Result<(), Problem> {
        let (mut own, mut recovered) = (Vec::new(), Vec::new());
        let mut stories = Vec::new();
        for name in self.moved() {
            let known = push.and_then(|push| push.own(name));
            for told in still_to_tell(self.seen.get(name).copied(), self.now.get(name).copied(), known) {
                let (list, story) = match told {
                    Telling::Own(_) => (&mut own, push.and_then(|push| push.story(name))),
                    Telling::Recovered(moved) => (&mut recovered, Some(Story::recovered(name, moved))),
                };
                list.extend(story.as_ref().map(Story::facts));
                stories.extend(story);
            }
        }
        let at = app.now();
        let mut records = Vec::new();
        if let Some(push) = push.filter(|_| !own.is_empty()) {
            records.push(push.accepted.permit.record(Outcome::Done).detail("refs", own));
        }
        if !recovered.is_empty() {
            tracing::warn!(repository = %id, refs = recovered.len(), "refs had moved without a story");
            records.push(by_server(self.workspace, id, at).detail("refs", recovered));
        }
        append(app, (id, self.workspace), (stories, records), at).await
    }
}

fn by_server(workspace: WorkspaceId, id: ResourceId, at: Timestamp) -> Record {
    Record::by_server("git.push_recovered", at).in_workspace(Some(workspace)).on(Some(id))
}

async fn append(
    app: &App,
    place: (ResourceId, WorkspaceId),
    (stories, records): (Vec<Story>, Vec<Record>),
    at: Timestamp,
) -> Result<(), Problem> {
    let records: Vec<_> = records.into_iter().map(|record| (record, AuditId::new(app.uuid()))).collect();
    app.faults.at(Point::TellRefs);
    let told = app.db.write(move |t| {
        Box::pin(async move {
            let told = tell(t, place, &stories, at).await?;
            if told == Told::Yes {
                for (record, id) in records {
                    record.append(t, id).await?;
                }
            }
            Ok::<_, Problem>(told)
        })
    });
    match told.await? {
        Told::Yes => Ok(()),
        Told::Behind => Err(Problem::new(Code::RepositoryBusy, "Another server tells of the same refs.")),
    }
}
