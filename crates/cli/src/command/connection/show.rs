//! `countersign connection show`: what an assistant may do, and what it did.

use clap::Args;
use countersign_core::api::connection::{ConnectionCall, ConnectionFacts, ConnectionProject};
use countersign_core::id::ConnectionId;
use countersign_core::role::MemberRole;
use countersign_core::text::count;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::paint::{Paint, Tone, line};

/// With the fifty latest calls.
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// The connection's id, which `connection list` shows
    #[arg(value_parser = find::id::<ConnectionId>)]
    id: ConnectionId,
}

impl Show {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let id = self.id.to_string();
        let facts: ConnectionFacts = context.client()?.get(&["api", "v1", "connections", &id], &[]).await?;
        Ok(Answer::new(&facts, told(&facts, context.paint)))
    }
}

fn told(facts: &ConnectionFacts, paint: Paint) -> String {
    let item = &facts.item;
    let off: Vec<String> = facts.tools.iter().filter(|tool| !tool.on).map(|tool| line(&tool.name)).collect();
    let mut told = vec![
        paint.on(Tone::Strong, &line(&item.name)),
        format!("state      {}", item.state.as_str()),
        format!("owner      {}", line(&item.owner)),
        format!("client     {}", item.client.as_deref().map_or_else(|| "none yet".to_owned(), line)),
        format!("scopes     {}", line(&facts.scopes.join(" "))),
        format!("tools      {} on, off: {}", facts.tools.len() - off.len(), or_none(&off)),
        format!("waiting    {}", count(item.waiting, "proposal")),
    ];
    told.extend(facts.revoked_at.map(|at| format!("revoked    {at}")));
    told.extend(facts.grants.iter().map(grant));
    if !facts.activity.is_empty() {
        told.push(String::new());
        told.extend(facts.activity.iter().map(call));
    }
    told.join("\n")
}

fn or_none(words: &[String]) -> String {
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

fn grant(project: &ConnectionProject) -> String {
    let role = project.role.map_or("no role left", MemberRole::as_str);
    format!("project    {} ({role}, {})", line(&project.name), count(project.repositories, "repository"))
}

fn call(call: &ConnectionCall) -> String {
    let on = call.resource.as_deref().map(|name| format!(" on {}", line(name))).unwrap_or_default();
    let code = call.code.as_deref().map(|code| format!(" ({})", line(code))).unwrap_or_default();
    format!("{}  {}{on}: {}{code}", call.at, line(&call.tool), line(&call.outcome))
}
