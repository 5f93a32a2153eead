//! Accept: whether a push may be made, all of which is there, in quarantine, and has moved nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use countersign_core::caller::{Caller, Principal};
use countersign_core::gitnest::names::Names;
use countersign_core::gitnest::oid::Oid;
use countersign_core::gitnest::push::{MOST_REFS, PushRef, RefUpdate};
use countersign_core::gitnest::push_log::Commits;
use countersign_core::gitnest::push_policy::{self, Motion, Refused, Rules};
use countersign_core::id::ResourceId;
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_git::receive::Incoming;
use countersign_store::repository::Repository;
use serde_json::json;

use super::open::{PUSH, has_room};
use crate::App;
use crate::gate::{self, Found, Permit};
use crate::git_problem::git_problem;

/// How many refusals are told.
const TOLD: usize = 20;

/// What git asks before it moves refs.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// A line for each ref, as git gives them to `pre-receive`.
    pub updates: Vec<String>,
    /// Where git keeps what the push brought; nothing, where it only removes.
    pub quarantine: Option<PathBuf>,
}

/// A push that may be made, and by whom.
#[derive(Clone, Debug)]
pub struct Accepted {
    pub(super) permit: Permit<ResourceId>,
    pub(super) wanted: Vec<Wanted>,
}

/// One ref of it, with what it will be called in the log.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) update: RefUpdate,
    pub(super) motion: Motion,
    pub(super) commits: Commits,
}

/// What looking through a push has found, and when the refs stood where.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) accepted: Accepted,
    there: BTreeMap<String, Oid>,
    /// The paths that its new commits change, where somebody asked.
    changed: Option<Vec<String>>,
}

impl Looked {
    /// Whether every commit that was led to then is led to now, so that no more are new than were.
    async fn still_covers(
        &self,
        incoming: &Incoming<'_>,
        now: &BTreeMap<String, Oid>,
    ) -> Result<bool, Problem> {
        let left: BTreeSet<Oid> = now.values().copied().collect();
        let gone: Vec<_> = self.there.values().copied().filter(|oid| !left.contains(oid)).collect();
        if gone.is_empty() {
            return Ok(true);
        }
        incoming.are_led_to(&gone).await.map_err(git_problem)
    }
}

/// Asks role, token and rules, and lets `decide` look at the push with them.
pub(super) async fn ask<T, F: Future<Output = Result<T, Problem>>>(
    app: &App,
    caller: &Caller,
    id: ResourceId,
    decide: impl FnOnce(Permit<Repository>) -> F,
) -> Result<T, Problem> {
    let (principal, now) = (caller.principal.clone(), app.now());
    gate::through(
        app,
        caller,
        PUSH,
        move |t| {
            Box::pin(async move {
                if let Principal::Token { id, .. } = principal
                    && !countersign_store::token::is_live(t, id, now).await?
                {
                    return Err(Problem::new(
                        Code::Unauthenticated,
                        "The token of this push is over, or was revoked.",
                    )
                    .next("Make another one with `countersign token create`, and push again."));
                }
                let row = countersign_store::repository::find(t, id).await?;
                let row = row.ok_or_else(|| Problem::not_found("repository"))?;
                Ok(Found::resource(row, id, MemberRole::Editor))
            })
        },
        decide,
    )
    .await
}

/// Looks through a push as the refs are now. All of it passes, or nothing. What was found `before` and cannot have
/// changed since is not looked for again.
pub(super) async fn look(
    app: &App,
    permit: Permit<Repository>,
    asked: &Asked,
    before: Option<&Looked>,
) -> Result<Looked, Problem> {
    let id = ResourceId::parse(&permit.target().id).map_err(Problem::internal)?;
    let (permit, row) = permit.with(id);
    let list = |text: &str| serde_json::from_str::<Vec<String>>(text).map_err(Problem::internal);
    let (branches, paths) = (list(&row.protected_branches)?, list(&row.protected_paths)?);
    let rules = Rules { default_branch: &row.default_branch, branches: &branches, paths: &paths };
    let updates = read(&asked.updates)?;
    if asked.quarantine.is_some() && before.is_none() {
        has_room(app, id).await?;
    }
    let there = app.git.refs_of_people(id).await.map_err(git_problem)?;
    let made = updates.iter().filter(|update| update.new.is_some()).map(|update| update.name.full());
    let names = Names::new(there.keys().cloned().chain(made));
    let incoming = app.git.incoming(id, asked.quarantine.as_deref()).map_err(git_problem)?;
    let (mut wanted, mut refused) = (Vec::new(), Vec::new());
    for (n, update) in updates.into_iter().enumerate() {
        let seen = push_policy::check_seen(&update, there.get(&update.name.full()).copied());
        if let Err(refusal) = seen {
            refused.push(refusal);
            continue;
        }
        let (motion, commits) = match before.and_then(|before| before.accepted.wanted.get(n)) {
            Some(before) => (before.motion, before.commits),
            None => motion(&incoming, &update).await?,
        };
        let checked = push_policy::check(&update, motion, permit.role(), rules)
            .and_then(|()| push_policy::check_name(&update, motion, &names, rules));
        match checked {
            Ok(()) => wanted.push(Wanted { update, motion, commits }),
            Err(refusal) => refused.push(refusal),
        }
    }
    let mut changed = None;
    // Who must push elsewhere anyway learns of that alone.
    if refused.is_empty() && permit.role() < MemberRole::Maintainer {
        changed = match before {
            Some(before) if before.changed.is_some() && before.still_covers(&incoming, &there).await? => {
                before.changed.clone()
            }
            Some(_) | None => {
                let new: Vec<_> = wanted.iter().filter_map(|wanted| wanted.update.new).collect();
                incoming.changed_paths(&new).await.map_err(git_problem)?
            }
        };
        let checked = match &changed {
            Some(changed) => {
                push_policy::check_paths(changed.iter().map(String::as_str), permit.role(), rules)
            }
            None => Err(push_policy::too_much_to_look_through()),
        };
        refused.extend(checked.err());
    }
    if refused.is_empty() {
        Ok(Looked { accepted: Accepted { permit, wanted }, there, changed })
    } else {
        Err(refusal(&refused))
    }
}

/// Reads the lines of git; a ref that cannot be pushed at all refuses the push.
fn read(lines: &[String]) -> Result<Vec<RefUpdate>, Problem> {
    if lines.len() > MOST_REFS {
        return Err(refusal(&[Refused {
            line: format!("This moves {} refs at once, and {MOST_REFS} is the most.", lines.len()),
            next: "Push fewer refs at a time.",
        }]));
    }
    let mut updates: Vec<RefUpdate> = Vec::new();
    let (mut names, mut refused) = (BTreeSet::new(), Vec::new());
    for line in lines {
        match RefUpdate::parse(line) {
            Ok(update) if !names.insert(update.name.clone()) => refused.push(Refused {
                line: format!("{} stands twice in this push.", update.name.short()),
                next: "Push each ref once.",
            }),
            Ok(update) => updates.push(update),
            Err(line) => refused.push(Refused { line, next: "Push branches and tags with plain names." }),
        }
    }
    if refused.is_empty() { Ok(updates) } else { Err(refusal(&refused)) }
}

/// How an update moves its ref, and how many commits it brings.
async fn motion(incoming: &Incoming<'_>, update: &RefUpdate) -> Result<(Motion, Commits), Problem> {
    let none = Commits::default();
    Ok(match (&update.name, update.old, update.new) {
        (_, _, None) => (Motion::Deleted, none),
        (PushRef::Tag(_), None, Some(_)) => (Motion::Created, none),
        (PushRef::Tag(_), Some(_), Some(_)) => (Motion::Forced, none),
        (PushRef::Branch(_), None, Some(new)) => {
            (Motion::Created, incoming.beyond_refs(new).await.map_err(git_problem)?)
        }
        (PushRef::Branch(_), Some(old), Some(new)) => {
            let commits = incoming.between(old, new).await.map_err(git_problem)?;
            (if commits.lost == 0 { Motion::Forward } else { Motion::Forced }, commits)
        }
    })
}

/// One problem of all refusals: each of its lines about a ref.
fn refusal(refused: &[Refused]) -> Problem {
    let mut lines: Vec<&str> = refused.iter().take(TOLD).map(|refused| refused.line.as_str()).collect();
    if refused.len() > TOLD {
        lines.push("There are more refusals of this kind.");
    }
    let (message, next) = match refused {
        [one] => (one.line.clone(), one.next),
        _ => (format!("{} refs are refused, so nothing was changed.", refused.len()), refused[0].next),
    };
    Problem::new(Code::PushRefused, message).next(next).fact("lines", json!(lines))
}

/// A refusal as the lines that stand on the terminal of whoever pushes.
pub fn lines(problem: &Problem) -> Vec<String> {
    let told = problem.facts.get("lines").and_then(serde_json::Value::as_array);
    let mut lines: Vec<String> =
        told.into_iter().flatten().filter_map(|line| line.as_str().map(str::to_owned)).collect();
    if lines.len() != 1 {
        lines.push(problem.message.clone());
    }
    lines.push(problem.next_action_of_people().to_owned());
    lines
}
