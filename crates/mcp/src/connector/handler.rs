//! The methods that the connector serves, in both eras.

use std::sync::Arc;

use countersign_app::App;
use countersign_core::caller::Caller;
use countersign_core::problem::{Code, Problem};
use http::request::Parts;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, DiscoverResult, ErrorCode, ErrorData, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use super::refusal::{self, Challenger, Verdict};
use super::slot::Slot;
use crate::registry::Registry;
use crate::tool::Reply;

/// How long anybody may keep the public catalogue: hosts keep lists for a day.
const PUBLIC_TTL_MS: u64 = 24 * 60 * 60 * 1000;
/// How long a client may keep the list of its own connection, whose owner may switch tools off.
const PRIVATE_TTL_MS: u64 = 60 * 1000;

const INSTRUCTIONS: &str = "Call `list_granted_resources` first: it shows what the owner granted. Every note edit \
    names the exact tab. Data that exists only on the owner's machine is not available to cloud clients. Nothing \
    you propose changes a repository before a person approves it.";

/// What all requests share.
pub(super) struct Shared {
    pub(super) app: App,
    pub(super) registry: Registry,
    pub(super) challenger: Challenger,
}

/// Serves one request; the SDK makes one each time.
#[derive(Clone)]
pub(super) struct Handler(pub(super) Arc<Shared>);

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = ServerCapabilities::builder().enable_tools().build();
        if let Some(tools) = &mut capabilities.tools {
            tools.list_changed = Some(false);
        }
        ServerConfig::new(capabilities)
            .with_server_info(
                Implementation::new("countersign", env!("CARGO_PKG_VERSION")).with_title("Countersign"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_cache_scope(CacheScope::Public)
            .with_ttl_ms(PUBLIC_TTL_MS))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        cx: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let (caller, slot) = before(&cx)?;
        slot.list();
        let list = ListToolsResult::with_all_items(self.0.registry.listed(caller));
        Ok(if caller.connection().is_none() {
            list.with_cache_scope(CacheScope::Public).with_ttl_ms(PUBLIC_TTL_MS)
        } else {
            list.with_cache_scope(CacheScope::Private).with_ttl_ms(PRIVATE_TTL_MS)
        })
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(raw) = self.0.registry.raw(&request.name) {
            let (caller, slot) = before(&cx)?;
            return match self.0.registry.knock(&self.0.app, caller, raw.action.name).await {
                Ok(()) => {
                    request.name = raw.action.name.into();
                    (raw.call)(request, cx).await
                }
                Err(problem) => self.leave(Err(problem), (caller, slot), &cx).map(Into::into),
            };
        }
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        self.call(&request.name, arguments, &cx).await.map(Into::into)
    }

    /// What the SDK cannot read as a request of a method that it knows lands here, whatever its method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        cx: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            "tools/call" => {
                let name =
                    request.params.as_ref().and_then(|params| params.get("name")).and_then(Value::as_str);
                let Some(name) = name else {
                    return Err(ErrorData::invalid_params("`name` is required: the name of a tool", None));
                };
                let arguments = request.params.as_ref().and_then(|params| params.get("arguments")).cloned();
                let arguments = arguments.unwrap_or_else(|| JsonObject::new().into());
                let mut result = self.call(name, arguments, &cx).await?;
                result.result_type = result.result_type.filter(|_| Era::of(&cx) == Era::Modern);
                serde_json::to_value(result).map(CustomResult::new).map_err(|error| internal(&error))
            }
            // The handshake is not there any more in 2026-07-28, and then is as unknown as any other word.
            "initialize" if Era::of(&cx) == Era::Modern => {
                Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None))
            }
            "initialize" | "server/discover" | "tools/list" | "ping" => Err(ErrorData::invalid_params(
                format!("the params of `{}` are malformed", request.method),
                None,
            )),
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None)),
        }
    }
}

impl Handler {
    async fn call(
        &self,
        name: &str,
        arguments: Value,
        cx: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let (caller, slot) = before(cx)?;
        self.leave(self.0.call(caller, name, arguments).await, (caller, slot), cx)
    }

    fn leave(
        &self,
        done: Result<Reply, Problem>,
        (caller, slot): (&Caller, &Slot),
        cx: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let (said, verdict) = self.0.outcome(done, caller, Era::of(cx));
        if let Some(verdict) = verdict {
            slot.refuse(verdict);
        }
        said
    }
}

impl Shared {
    /// Calls a typed tool.
    pub(super) async fn call(&self, caller: &Caller, name: &str, arguments: Value) -> Result<Reply, Problem> {
        self.registry.call(&self.app, caller, name, arguments).await
    }

    /// What a call came to: a tool result or an error of the protocol, and what only HTTP can say of it.
    pub(super) fn outcome(
        &self,
        done: Result<Reply, Problem>,
        caller: &Caller,
        era: Era,
    ) -> (Result<CallToolResult, ErrorData>, Option<Verdict>) {
        let problem = match done {
            Ok(reply) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(reply.text)]);
                result.structured_content = Some(reply.structured);
                return (Ok(result), None);
            }
            Err(problem) => problem,
        };
        if problem.code == Code::ToolNotAvailable {
            let code = match era {
                Era::Modern => ErrorCode::INVALID_PARAMS,
                Era::Legacy => ErrorCode::METHOD_NOT_FOUND,
            };
            return (Err(ErrorData::new(code, problem.message, None)), None);
        }
        if let Some(cause) = &problem.cause {
            tracing::error!(code = problem.code.as_str(), cause = %chain(&**cause), "a tool failed");
        }
        let verdict = self.challenger.verdict(&problem, &caller.scopes);
        (Ok(refusal::result(&problem, verdict.as_ref())), verdict)
    }
}

/// The two ways of speaking: with a handshake, and with everything in each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// 2024-11-05 to 2025-11-25.
    Legacy,
    /// 2026-07-28.
    Modern,
}

impl Era {
    fn of(cx: &RequestContext<RoleServer>) -> Self {
        let modern = |version: &ProtocolVersion| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str();
        if cx.protocol_version().is_some_and(|version| modern(&version)) {
            Self::Modern
        } else {
            Self::Legacy
        }
    }
}

/// What the layer put into the request.
fn before(cx: &RequestContext<RoleServer>) -> Result<(&Caller, &Slot), ErrorData> {
    let parts = cx.extensions.get::<Parts>().map(|parts| &parts.extensions);
    let found = parts.and_then(|parts| Some((parts.get::<Caller>()?, &**parts.get::<Arc<Slot>>()?)));
    found.ok_or_else(|| ErrorData::internal_error("the request came past the connector's own layer", None))
}

fn internal(error: &serde_json::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    std::iter::successors(Some(error), |error| error.source())
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
