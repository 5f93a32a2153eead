//! Change a repository: move it to another project, switch GitNest on or off, rule who decides what.

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ProjectId, ResourceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::role::MemberRole;
use countersign_core::scope::TokenScope;
use countersign_core::time::Timestamp;
use countersign_store::event::{self, NewEvent};
use countersign_store::repository::Rules;
use countersign_store::{Saved, Tx, Wake, resource};

use super::rules::{self, RuleChange};
use super::{head, open};
use crate::App;
use crate::actor::Actor;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit, Subject};

/// The action of a change.
pub const CHANGE: Action =
    Action { name: "repository.change", need: Need::Person(TokenScope::Api), effect: Effect::Set };

/// What to change; what is `None` stays.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// The project that it moves to.
    pub project: Option<ProjectId>,
    /// Whether agents see it.
    pub gitnest: Option<bool>,
    /// What is protected, and who decides.
    pub rules: RuleChange,
    /// The mark of the settings that were looked at ([`super::RulesView::mark`]); others than these are not changed.
    pub seen: Option<String>,
}

/// Changes a repository. It takes an owner of it, and of the project that it moves to. Agents and people feel it at
/// their very next call.
pub async fn change(app: &App, caller: &Caller, id: ResourceId, change: Change) -> Result<(), Problem> {
    gate::through(
        app,
        caller,
        CHANGE,
        move |t| {
            Box::pin(async move {
                let row = open::ready(t, id).await?;
                let seen = row.rules();
                Ok(Found::resource(Wish { id, change, seen }, id, MemberRole::Owner))
            })
        },
        |permit| run(app, permit),
    )
    .await
}

/// What to change, and the rules that were seen.
struct Wish {
    id: ResourceId,
    change: Change,
    seen: Rules,
}

async fn run(app: &App, permit: Permit<Wish>) -> Result<(), Problem> {
    let (permit, wish) = permit.with(());
    let Wish { id, change, seen } = wish;
    let ruled = change.rules.applied(&seen, permit.at())?;
    let lock = match &change.rules.default_branch {
        Some(branch) => Some(head::hold(app, id, branch).await?),
        None => None,
    };
    let record = permit
        .record(Outcome::Done)
        .detail("project_id", change.project.map(|id| id.to_string()))
        .detail("gitnest", change.gitnest)
        .detail("rules", ruled.is_some().then(|| change.rules.to_json()));
    let (audit, now) = (AuditId::new(app.uuid()), app.now());
    let place = permit.place().and_then(|place| place.project);
    let (workspace, actor) = (permit.workspace(), Actor::of(permit.caller()));
    let (project, gitnest, looked_at) = (change.project, change.gitnest, change.seen);
    let asked = permit.clone();
    permit
        .write(app, move |t| {
            Box::pin(async move {
                if let Some(looked_at) = looked_at {
                    unchanged(t, id, &looked_at).await?;
                }
                let mut told = Vec::new();
                if let Some(project) = project {
                    let from = place.ok_or_else(|| Problem::not_found("repository"))?;
                    if from != project {
                        asked.also(t, Subject::Project(project), MemberRole::Owner).await?;
                        done(&resource::move_to(t, id, from, project, now).await?)?;
                    }
                    told.push("moved to another project");
                }
                if let Some(on) = gitnest {
                    done(&countersign_store::repository::save_gitnest(t, id, on.then_some(now)).await?)?;
                    told.push(if on { "GitNest switched on" } else { "GitNest switched off" });
                }
                if let Some(rules) = &ruled {
                    done(&countersign_store::repository::save_rules(t, id, &seen, rules).await?)?;
                    told.push("rules changed");
                }
                record.append(t, audit).await?;
                for summary in told {
                    tell(t, id, summary, (actor, now)).await?;
                }
                t.wake(Wake { workspace: workspace.to_string(), topic: "connections".to_owned() });
                Ok::<_, Problem>(())
            })
        })
        .await?;
    if let Some((lock, branch)) = lock.as_ref().zip(change.rules.default_branch.as_ref()) {
        head::point(app, lock, branch).await?;
    }
    Ok(())
}

/// Holds the repository, and passes when its settings are those that were looked at.
async fn unchanged(t: &Tx<'_>, id: ResourceId, looked_at: &str) -> Result<(), Problem> {
    resource::hold(t, id).await?;
    let row = open::ready(t, id).await?;
    let place = resource::find(t, id).await?.ok_or_else(|| Problem::not_found("repository"))?;
    let project = ProjectId::parse(&place.project_id).map_err(Problem::internal)?;
    if rules::mark(&row, Some(project)) == looked_at {
        return Ok(());
    }
    Err(Problem::new(Code::VersionConflict, "The settings were changed after they were looked at.")
        .next("Look at what stands there now, then save again."))
}

fn done<T>(saved: &Saved<T>) -> Result<(), Problem> {
    match saved {
        Saved::Done(_) => Ok(()),
        Saved::Changed => {
            Err(Problem::new(Code::VersionConflict, "The repository was changed at the same moment."))
        }
        Saved::Missing => Err(Problem::not_found("repository")),
    }
}

async fn tell(
    t: &Tx<'_>,
    id: ResourceId,
    summary: &str,
    (actor, at): (Actor, Timestamp),
) -> Result<(), Problem> {
    let event = NewEvent {
        kind: "repository.changed".to_owned(),
        at,
        actor: actor.json(),
        summary: summary.to_owned(),
        refs: "{}".to_owned(),
    };
    event::append(t, id, event).await?;
    Ok(())
}
