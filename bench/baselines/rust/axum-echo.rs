//! A bare axum server that answers a `tools/call` of `echo`: the limit of what any MCP server on axum can reach.

use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

#[tokio::main]
#[expect(clippy::disallowed_methods, reason = "a baseline has no list of routes")]
async fn main() -> std::io::Result<()> {
    let port: u16 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(8101);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    axum::serve(listener, Router::new().route("/mcp", post(echo))).await
}

async fn echo(Json(message): Json<Value>) -> Json<Value> {
    let text = &message["params"]["arguments"]["text"];
    let result = json!({ "content": [{ "type": "text", "text": text }] });
    Json(json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }))
}
