//! What a tool is: the action of a use case, an input and an output type, and one call to that use case.

use std::future::Future;

use countersign_app::App;
use countersign_app::gate::{Action, Effect, Need};
use countersign_core::caller::Caller;
use countersign_core::problem::Problem;
use countersign_core::scope::Scope;
use futures_util::future::BoxFuture;
use rmcp::model::{MetaObject, Tool as Listed, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::schema::{self, InputSchema, Object};
use crate::text;

/// The hints of the MCP specification, 2025-03-26 and later; hosts ask their person by them. None of our tools
/// reaches outside, and each that writes takes an idempotency key, so that a repeat changes nothing more.
fn hints(effect: Effect) -> ToolAnnotations {
    let hints = ToolAnnotations::new().open_world(false);
    match effect {
        Effect::Read => hints.read_only(true),
        Effect::Write => hints.read_only(false).destructive(false).idempotent(true),
        Effect::Set | Effect::Destroy => hints.read_only(false).destructive(true).idempotent(true),
    }
}

/// One MCP tool. Its description is the doc comment of its input type.
pub trait Tool: 'static {
    /// The action of the use case: its name is the tool's, with the scope and the effect.
    const ACTION: Action;
    /// Names that the tool had before. They can be called and are not listed, since hosts keep lists for a day; the
    /// switch, the scope and the records are those of the name of now.
    const OLD_NAMES: &'static [&'static str] = &[];
    /// The arguments.
    type Input: DeserializeOwned + JsonSchema + Send;
    /// The structured result.
    type Output: Serialize + JsonSchema + Send;

    /// Calls the one use case.
    fn run(
        app: &App,
        caller: &Caller,
        input: Self::Input,
    ) -> impl Future<Output = Result<Self::Output, Problem>> + Send;

    /// What a model reads of the result.
    fn text(output: &Self::Output) -> String {
        text::facts(output)
    }
}

/// The answer of a tool that did its work.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// For the model.
    pub text: String,
    /// For programs; it fits the published output schema.
    pub structured: Value,
}

type Call = for<'a> fn(&'a App, &'a Caller, Value) -> BoxFuture<'a, Result<Reply, Problem>>;

/// A tool with its types erased.
#[derive(Clone)]
pub struct ToolEntry {
    /// The name on the wire, the scope that a connection must hold, and what a call can do.
    pub action: Action,
    /// Names that it had before.
    pub old_names: &'static [&'static str],
    /// The scope that a connection must hold.
    pub scope: Scope,
    /// The arguments.
    pub input: InputSchema,
    /// The structured result.
    pub output: Object,
    call: Call,
}

impl ToolEntry {
    /// Erases the types of `T`.
    pub fn of<T: Tool>() -> Self {
        Self {
            action: T::ACTION,
            old_names: T::OLD_NAMES,
            scope: const { scope(T::ACTION) },
            input: schema::input::<T::Input>(),
            output: schema::output::<T::Output>(),
            call: |app, caller, arguments| {
                Box::pin(async move {
                    let input = serde_json::from_value(arguments)
                        .map_err(|error| Problem::invalid("arguments", error.to_string()))?;
                    let output = T::run(app, caller, input).await?;
                    let text = T::text(&output);
                    let structured = serde_json::to_value(output).map_err(Problem::internal)?;
                    Ok(Reply { text, structured })
                })
            },
        }
    }

    /// Calls the use case with arguments that keep the published schema.
    pub(crate) async fn run(&self, app: &App, caller: &Caller, arguments: Value) -> Result<Reply, Problem> {
        (self.call)(app, caller, arguments).await
    }

    /// What `tools/list` shows.
    pub fn listed(&self) -> Listed {
        let mut meta = MetaObject::new();
        meta.0.insert(SECURITY_SCHEMES.into(), security_schemes(self.scope));
        Listed::new(self.action.name, self.input.description.clone(), self.input.published.clone())
            .with_raw_output_schema(self.output.clone().into())
            .with_annotations(hints(self.action.effect))
            .with_meta(meta)
    }
}

/// The scope of an action that agents may take; there is no tool for any other.
pub(crate) const fn scope(action: Action) -> Scope {
    match action.need {
        Need::Agent(scope) => scope,
        Need::Person(_) | Need::Browser => panic!("this action is not for agents"),
    }
}

/// Where hosts look for what a tool needs of a sign-in: on the tool, and in its `_meta`.
pub const SECURITY_SCHEMES: &str = "securitySchemes";

/// Copies `securitySchemes` of a listed tool from its `_meta` onto the tool: hosts look in either place, and the SDK's
/// type has no field for it (rmcp 3.11.0).
pub(crate) fn show_schemes(tool: &mut Object) {
    if let Some(schemes) = tool.get("_meta").and_then(|meta| meta.get(SECURITY_SCHEMES)).cloned() {
        tool.insert(SECURITY_SCHEMES.into(), schemes);
    }
}

fn security_schemes(scope: Scope) -> Value {
    json!([{ "type": "oauth2", "scopes": [scope.as_str()] }])
}
