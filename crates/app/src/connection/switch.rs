//! Switch single tools of a connection off and on; all start on.

use std::collections::BTreeSet;

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ConnectionId, WorkspaceId};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::TokenScope;
use countersign_store::{Saved, Wake, connection};

use super::TOPIC;
use super::own::{Seen, revoked};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit, Record};

// What gives an agent more takes who may also countersign; what takes from it does not.
const SWITCH_ON: Action =
    Action { name: "connection.switch_tool", need: Need::Person(TokenScope::Decide), effect: Effect::Set };
const SWITCH_OFF: Action = Action { need: Need::Person(TokenScope::Api), ..SWITCH_ON };
const ALL_ON: Action =
    Action { name: "connection.switch_all_on", need: Need::Person(TokenScope::Decide), effect: Effect::Set };

/// Which way a tool is switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// The connection has it.
    On,
    /// The connection has it not: it is neither listed nor can be called.
    Off,
}

impl Switch {
    /// The word in forms.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
        }
    }

    /// Reads the word in forms.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::On, Self::Off].into_iter().find(|switch| switch.as_str() == text)
    }
}

/// Switches a tool, by its name. Switching it again changes nothing.
pub async fn switch_tool(
    app: &App,
    caller: &Caller,
    id: ConnectionId,
    tool: &str,
    to: Switch,
) -> Result<(), Problem> {
    let (asker, found) = (caller.clone(), app.catalogue.find(tool).map(|card| card.name));
    gate::through(
        app,
        caller,
        match to {
            Switch::On => SWITCH_ON,
            Switch::Off => SWITCH_OFF,
        },
        move |t| {
            Box::pin(async move {
                let seen = Seen::get(t, &asker, id).await?.managed()?;
                let tool = found.ok_or_else(|| Problem::invalid("tool", "the name of a tool"))?;
                Ok(Found::own((seen, tool)))
            })
        },
        |permit| async move {
            let (seen, tool) = permit.target();
            let mut off = stored(app, seen)?;
            match to {
                Switch::On => off.remove(*tool),
                Switch::Off => off.insert((*tool).to_owned()),
            };
            let record = permit.record(Outcome::Done).detail("tool", *tool).detail("on", to == Switch::On);
            save(app, &permit, (seen, &off), record).await
        },
    )
    .await
}

/// Switches every tool on.
pub async fn switch_all_on(app: &App, caller: &Caller, id: ConnectionId) -> Result<(), Problem> {
    let asker = caller.clone();
    gate::through(
        app,
        caller,
        ALL_ON,
        move |t| Box::pin(async move { Ok(Found::own(Seen::get(t, &asker, id).await?.managed()?)) }),
        |permit| async move {
            let record = permit.record(Outcome::Done);
            save(app, &permit, (permit.target(), &BTreeSet::new()), record).await
        },
    )
    .await
}

/// What is switched off, by the names of now.
pub(super) fn stored(app: &App, seen: &Seen) -> Result<BTreeSet<String>, Problem> {
    let stored = serde_json::from_str(&seen.listed.connection.switched_off).map_err(Problem::internal)?;
    Ok(app.catalogue.switched_off(stored))
}

async fn save<T>(
    app: &App,
    permit: &Permit<T>,
    (seen, off): (&Seen, &BTreeSet<String>),
    record: Record,
) -> Result<(), Problem> {
    let list = serde_json::to_string(off).map_err(Problem::internal)?;
    let record = record.detail("connection", seen.id.to_string());
    let record_id = AuditId::new(app.uuid());
    let (id, version, workspace) = (seen.id, seen.listed.connection.version, permit.workspace());
    permit
        .write(app, move |t| {
            Box::pin(async move {
                match connection::save_switched_off(t, id, version, &list).await? {
                    Saved::Done(_) => {}
                    Saved::Changed => return Err(changed(t, id, workspace).await?),
                    Saved::Missing => return Err(Problem::not_found("connection")),
                }
                record.append(t, record_id).await?;
                t.wake(Wake { workspace: workspace.to_string(), topic: TOPIC.to_owned() });
                Ok::<_, Problem>(())
            })
        })
        .await
}

/// Revoked, or changed by another page of the same person.
async fn changed(
    t: &countersign_store::Tx<'_>,
    id: ConnectionId,
    workspace: WorkspaceId,
) -> Result<Problem, Problem> {
    let row = connection::find(t, id, workspace).await?;
    if row.is_some_and(|row| row.revoked_at.is_some()) {
        return Ok(revoked());
    }
    Ok(Problem::new(Code::VersionConflict, "The connection was changed at the same moment."))
}
