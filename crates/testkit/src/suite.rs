//! The fixture tools that the official MCP conformance suites call by name.
//!
//! What each must answer stands in the descriptions of the scenarios (npm `@modelcontextprotocol/conformance`,
//! 0.1.16 and 0.2.0-alpha.12). They are raw tools: they pass the gate like every other, and then speak the
//! protocol's own terms, which no tool that ships needs.

use std::sync::Arc;

use countersign_app::gate::{Action, Effect, Need};
use countersign_core::scope::Scope;
use countersign_mcp::RawTool;
use countersign_mcp::registry::RawCall;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
    ProgressNotificationParam, ResourceContents, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

/// A grey picture of one dot.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==";
/// A millisecond of silence.
const WAV: &str = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

/// What `test_simple_text` was called before.
pub const OLD_NAME: &str = "test_plain_text";

/// Every fixture tool.
pub fn tools() -> Vec<RawTool> {
    vec![
        RawTool {
            old_names: &[OLD_NAME],
            ..fixed("test_simple_text", || {
                success(vec![ContentBlock::text("This is a simple text response for testing.")])
            })
        },
        fixed("test_image_content", || success(vec![ContentBlock::image(PNG, "image/png")])),
        fixed("test_audio_content", || success(vec![ContentBlock::audio(WAV, "audio/wav")])),
        fixed("test_embedded_resource", || {
            success(vec![resource(
                "test://embedded-resource",
                "text/plain",
                "This is an embedded resource content.",
            )])
        }),
        fixed("test_multiple_content_types", || {
            success(vec![
                ContentBlock::text("Multiple content types test:"),
                ContentBlock::image(PNG, "image/png"),
                resource(
                    "test://mixed-content-resource",
                    "application/json",
                    r#"{"test":"data","value":123}"#,
                ),
            ])
        }),
        fixed("test_error_handling", || {
            CallToolResult::error(vec![ContentBlock::text(
                "This tool intentionally returns an error for testing",
            )])
        }),
        // The suite wants to see that no log message leaves a server that was not asked for any.
        fixed("test_logging_tool", || success(vec![ContentBlock::text("done, in silence")])),
        // The suite wants to see that no request of the server's own is in the answer.
        fixed("test_streaming_elicitation", || success(vec![ContentBlock::text("done, without a question")])),
        raw("test_tool_with_progress", &no_arguments(), Arc::new(|_, cx| Box::pin(progress(cx)))),
        raw(
            "test_missing_capability",
            &no_arguments(),
            Arc::new(|_, cx| Box::pin(async move { needs_sampling(&cx) })),
        ),
        raw("json_schema_2020_12_tool", &vocabulary(), always(|| success(vec![ContentBlock::text("taken")]))),
    ]
}

fn fixed(name: &'static str, answer: fn() -> CallToolResult) -> RawTool {
    raw(name, &no_arguments(), always(answer))
}

fn always(answer: fn() -> CallToolResult) -> RawCall {
    Arc::new(move |_: CallToolRequestParams, _| Box::pin(async move { Ok(CallToolResponse::from(answer())) }))
}

fn raw(name: &'static str, schema: &Value, call: RawCall) -> RawTool {
    let schema = schema.as_object().cloned().unwrap_or_default();
    let listed = Tool::new(name, "A fixture of the conformance suites.", schema);
    let action = Action { name, need: Need::Agent(Scope::Read), effect: Effect::Read };
    RawTool { action, old_names: &[], listed, call }
}

fn success(content: Vec<ContentBlock>) -> CallToolResult {
    CallToolResult::success(content)
}

fn resource(uri: &str, mime_type: &str, text: &str) -> ContentBlock {
    ContentBlock::resource(ResourceContents::TextResourceContents {
        uri: uri.into(),
        mime_type: Some(mime_type.into()),
        text: text.into(),
        meta: None,
    })
}

async fn progress(cx: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    let Some(token) = cx.meta.get_progress_token() else {
        return Ok(success(vec![ContentBlock::text("nobody asked for progress")]).into());
    };
    for done in [0.0, 50.0, 100.0] {
        let mut note = ProgressNotificationParam::new(token.clone(), done);
        note.total = Some(100.0);
        cx.peer
            .notify_progress(note)
            .await
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    }
    Ok(success(vec![ContentBlock::text("all done")]).into())
}

fn needs_sampling(cx: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    if cx.client_capabilities().is_some_and(|declared| declared.sampling.is_some()) {
        return Ok(success(vec![ContentBlock::text("the client can sample")]).into());
    }
    let required: ClientCapabilities = serde_json::from_value(json!({ "sampling": {} }))
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Err(ErrorData::missing_required_client_capability(required))
}

fn no_arguments() -> Value {
    json!({ "type": "object", "properties": {} })
}

/// Keywords of JSON Schema 2020-12 that must come through the list unharmed.
fn vocabulary() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
            }
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" }
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false
    })
}
