//! Switch single tools of a connection off and on; all start on.

use std::collections::BTreeSet;

use countersign_core::caller::Caller;
use countersign_core::id::{AuditId, ConnectionId};
use countersign_core::problem::{Code, Problem};
use countersign_store::{Saved, Wake, connection};

use super::TOPIC;
use super::own::{Seen, revoked};
use crate::App;
use crate::gate::{self, Action, Effect, Found, Need, Outcome, Permit};

const SWITCH: Action = Action { name: "connection.switch_tool", need: Need::Browser, effect: Effect::Set };

/// How many tools a connection can have switched off; there are fewer.
const MOST: usize = 200;

/// Which way a tool is switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// The connection has it.
    On,
    /// The connection has it not: it is neither listed nor can be called.
    Off,
}

/// Switches a tool, by its name. Switching it again changes nothing.
pub async fn switch_tool(
    app: &App,
    caller: &Caller,
    id: ConnectionId,
    tool: &str,
    to: Switch,
) -> Result<(), Problem> {
    let (asker, tool) = (caller.clone(), tool.to_owned());
    gate::through(
        app,
        caller,
        SWITCH,
        move |t| {
            Box::pin(async move {
                let seen = Seen::get(t, &asker, id).await?.managed()?;
                let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
                if tool.is_empty() || tool.len() > 64 || !tool.bytes().all(plain) {
                    return Err(Problem::invalid("tool", "the name of a tool"));
                }
                Ok(Found::own((seen, tool)))
            })
        },
        |permit| save(app, permit, to),
    )
    .await
}

async fn save(app: &App, permit: Permit<(Seen, String)>, to: Switch) -> Result<(), Problem> {
    let (seen, tool) = permit.target();
    let row = &seen.listed.connection;
    let mut off: BTreeSet<String> = serde_json::from_str(&row.switched_off).map_err(Problem::internal)?;
    match to {
        Switch::On => off.remove(tool),
        Switch::Off => off.insert(tool.clone()),
    };
    if off.len() > MOST {
        return Err(Problem::invalid("tool", "at most 200 tools can be off"));
    }
    let list = serde_json::to_string(&off).map_err(Problem::internal)?;
    let record = permit
        .record(Outcome::Done)
        .detail("connection", seen.id.to_string())
        .detail("tool", tool.as_str())
        .detail("on", to == Switch::On);
    let record_id = AuditId::new(app.uuid());
    let (id, version, workspace) = (seen.id, row.version, permit.workspace());
    app.db
        .write(move |t| {
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
    workspace: countersign_core::id::WorkspaceId,
) -> Result<Problem, Problem> {
    let row = connection::find(t, id, workspace).await?;
    if row.is_some_and(|row| row.revoked_at.is_some()) {
        return Ok(revoked());
    }
    Ok(Problem::new(Code::VersionConflict, "The connection was changed at the same moment."))
}
