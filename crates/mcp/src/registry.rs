//! Every tool that this server has, in the order in which it is listed, and the one way to call one.

use std::sync::Arc;

use countersign_app::App;
use countersign_app::catalogue::{Catalogue, NameTwice, ToolCard};
use countersign_app::gate::{self, Action, Effect, Need, Outcome, Record};
use countersign_core::caller::{Caller, CallerKind};
use countersign_core::problem::{Code, Problem};
use countersign_core::scope::{Scope, Scopes};
use futures_util::future::BoxFuture;
use rmcp::model::{CallToolRequestParams, CallToolResponse, Tool as Listed};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;

use crate::cost;
use crate::schema::check;
use crate::tool::{Reply, ToolEntry, scope, show_schemes};

/// A tool that answers in the protocol's own terms. What ships has none; tests add the ones that the
/// official conformance suites call.
#[derive(Clone)]
pub struct RawTool {
    /// Its name, scope and effect, as the gate asks for them.
    pub action: Action,
    /// Names that it had before.
    pub old_names: &'static [&'static str],
    /// What `tools/list` shows.
    pub listed: Listed,
    /// What a call does.
    pub call: RawCall,
}

/// What a raw tool does with a call.
pub type RawCall = Arc<
    dyn Fn(
            CallToolRequestParams,
            RequestContext<RoleServer>,
        ) -> BoxFuture<'static, Result<CallToolResponse, ErrorData>>
        + Send
        + Sync,
>;

/// What calls of a name that no tool has are recorded under.
const UNKNOWN: Action = Action { name: "unknown_tool", need: Need::Agent(Scope::Read), effect: Effect::Read };

/// The tools of a server.
#[derive(Clone, Default)]
pub struct Registry {
    typed: Vec<ToolEntry>,
    raw: Vec<RawTool>,
}

impl Registry {
    /// A registry of typed tools.
    pub fn new(typed: impl IntoIterator<Item = ToolEntry>) -> Self {
        Self { typed: typed.into_iter().collect(), raw: Vec::new() }
    }

    /// Adds tools that answer in the protocol's own terms.
    #[must_use]
    pub fn with_raw(mut self, raw: impl IntoIterator<Item = RawTool>) -> Self {
        self.raw.extend(raw);
        self
    }

    /// The typed tools.
    pub fn iter(&self) -> impl Iterator<Item = &ToolEntry> {
        self.typed.iter()
    }

    /// What `tools/list` shows to `caller`: everything, less what is switched off. Scopes hide nothing.
    pub fn listed(&self, caller: &Caller) -> Vec<Listed> {
        let typed = self.typed.iter().map(ToolEntry::listed);
        let raw = self.raw.iter().map(|tool| tool.listed.clone());
        typed.chain(raw).filter(|tool| !caller.switched_off.contains(tool.name.as_ref())).collect()
    }

    /// Every scope that some tool needs: what a client that has not signed in yet is told to ask for.
    pub fn scopes(&self) -> Scopes {
        Scopes::new(self.typed.iter().map(|tool| tool.scope))
    }

    /// Every tool as owners see it. Refused when two claim one name.
    pub fn catalogue(&self) -> Result<Catalogue, NameTwice> {
        let typed = self.typed.iter().map(|tool| {
            let about = (tool.old_names, tool.scope, cost::of(tool.action.name));
            card(tool.action, about, &tool.listed())
        });
        let raw = self.raw.iter().map(|tool| {
            let about = (tool.old_names, scope(tool.action), None);
            card(tool.action, about, &tool.listed)
        });
        Catalogue::new(typed.chain(raw).collect())
    }

    /// The raw tool that has this name or had it.
    pub(crate) fn raw(&self, name: &str) -> Option<&RawTool> {
        self.raw.iter().find(|tool| is_called(tool.action, tool.old_names, name))
    }

    /// The typed tool that has this name or had it.
    fn typed(&self, name: &str) -> Option<&ToolEntry> {
        self.typed.iter().find(|tool| is_called(tool.action, tool.old_names, name))
    }

    fn action(&self, name: &str) -> Option<Action> {
        self.typed(name).map(|tool| tool.action).or_else(|| self.raw(name).map(|tool| tool.action))
    }

    /// The steps of the gate that come before the arguments. What is refused here is kept in the journal,
    /// unless nobody is signed in: then it belongs to no connection.
    pub(crate) async fn knock(&self, app: &App, caller: &Caller, name: &str) -> Result<(), Problem> {
        if caller.kind() == CallerKind::Anonymous {
            return Err(unauthenticated());
        }
        let Some(action) = self.action(name) else {
            let name: String = name.chars().take(128).collect();
            let words = format!("tool '{name}' is not available to this agent");
            let record = Record::new(caller, UNKNOWN, app.now(), Outcome::Refused(Code::ToolNotAvailable));
            app.journal.later(record.detail("name", name)).await;
            return Err(Problem::new(Code::ToolNotAvailable, words));
        };
        refusing(app, caller, action, gate::may_try(caller, action)).await
    }

    /// Calls a typed tool: the steps of the gate before the arguments, the published schema, the use case.
    pub async fn call(
        &self,
        app: &App,
        caller: &Caller,
        name: &str,
        arguments: Value,
    ) -> Result<Reply, Problem> {
        self.knock(app, caller, name).await?;
        let Some(tool) = self.typed(name) else {
            return Err(Problem::internal(format!("`{name}` is a raw tool")));
        };
        let checked = check::arguments(&tool.input.checked, &arguments).map_err(Problem::from);
        refusing(app, caller, tool.action, checked).await?;
        tool.run(app, caller, arguments).await
    }
}

/// What a call of nobody is answered with, whatever it calls.
pub(crate) fn unauthenticated() -> Problem {
    Problem::new(Code::Unauthenticated, "Authentication required")
}

fn is_called(action: Action, old_names: &[&str], name: &str) -> bool {
    action.name == name || old_names.contains(&name)
}

fn card(
    action: Action,
    (old_names, scope, tokens): (&'static [&'static str], Scope, Option<u32>),
    listed: &Listed,
) -> ToolCard {
    let mut wire = serde_json::to_value(listed).unwrap_or_default();
    wire.as_object_mut().into_iter().for_each(show_schemes);
    ToolCard {
        name: action.name,
        old_names,
        description: listed.description.as_deref().unwrap_or_default().to_owned(),
        scope,
        effect: action.effect,
        tokens,
        listed: wire.to_string(),
    }
}

/// Keeps a refusal in the journal; a use case keeps those of its own.
async fn refusing(
    app: &App,
    caller: &Caller,
    action: Action,
    verdict: Result<(), Problem>,
) -> Result<(), Problem> {
    if let Err(problem) = &verdict {
        app.journal.later(Record::new(caller, action, app.now(), Outcome::Refused(problem.code))).await;
    }
    verdict
}
