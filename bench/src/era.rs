//! The two eras of MCP, and how a call of a tool looks in each.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::load::Target;

/// Which revision of the protocol a call speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    V2025,
    V2026,
}

/// A tool of a server.
#[derive(Clone, Debug)]
pub(crate) struct Tool<'a> {
    pub(crate) port: u16,
    pub(crate) path: &'a str,
    /// The access token, where one is asked for.
    pub(crate) bearer: Option<&'a str>,
    pub(crate) name: &'a str,
    pub(crate) arguments: Value,
    /// What the answer must hold.
    pub(crate) expects: &'a str,
}

impl Era {
    pub(crate) const BOTH: [Self; 2] = [Self::V2025, Self::V2026];

    const fn version(self) -> &'static str {
        match self {
            Self::V2025 => "2025-11-25",
            Self::V2026 => "2026-07-28",
        }
    }

    /// The request that calls `tool`.
    pub(crate) fn target(self, tool: &Tool<'_>) -> Target {
        let mut params = json!({ "name": tool.name, "arguments": tool.arguments });
        let mut headers = vec![format!("mcp-protocol-version: {}\r\n", self.version())];
        if self == Self::V2026 {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.version(),
                "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1.0.0" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
            headers.push(format!("mcp-method: tools/call\r\nmcp-name: {}\r\n", tool.name));
        }
        if let Some(bearer) = tool.bearer {
            headers.push(format!("authorization: Bearer {bearer}\r\n"));
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
        let request = format!(
            "POST {} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\n{}content-length: {}\r\n\r\n{body}",
            tool.path,
            tool.port,
            headers.concat(),
            body.len()
        );
        Target { port: tool.port, request: Arc::new(request.into_bytes()), expects: tool.expects.into() }
    }
}

impl fmt::Display for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.version())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(era: Era, bearer: Option<&str>) -> String {
        let arguments = json!({ "text": "hello" });
        let tool = Tool { port: 1, path: "/mcp", bearer, name: "echo", arguments, expects: "hello" };
        String::from_utf8(era.target(&tool).request.to_vec()).unwrap()
    }

    #[test]
    fn the_later_era_repeats_method_and_name_in_headers_and_says_who_calls() {
        let (old, new) = (request(Era::V2025, None), request(Era::V2026, None));
        assert!(!old.contains("mcp-method") && !old.contains("_meta") && !old.contains("authorization"));
        assert!(new.contains("mcp-method: tools/call\r\nmcp-name: echo\r\n") && new.contains("clientInfo"));
    }

    #[test]
    fn a_token_goes_into_the_header_alone_and_the_length_is_right() {
        let request = request(Era::V2025, Some("secret"));
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(head.contains("authorization: Bearer secret") && !body.contains("secret"));
        assert!(head.ends_with(&format!("content-length: {}", body.len())));
    }
}
