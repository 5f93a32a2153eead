//! What a connection is: which assistant it is for, and where it stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::host::Host;

/// Which assistant a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum AssistantKind {
    /// Claude Code, in a terminal.
    ClaudeCode,
    /// Codex, in a terminal.
    Codex,
    /// Gemini CLI, in a terminal.
    Gemini,
    /// Visual Studio Code.
    #[serde(rename = "vscode")]
    VsCode,
    /// Cursor.
    Cursor,
    /// Any other host that speaks MCP.
    Other,
}

impl AssistantKind {
    /// Every kind, in the order in which they are offered.
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::VsCode, Self::Cursor, Self::Other];

    /// The word in forms and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude_code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::VsCode => "vscode",
            Self::Cursor => "cursor",
            Self::Other => "other",
        }
    }

    /// Reads the word in forms and in the store.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// The name that a person knows.
    pub const fn name(self) -> &'static str {
        match self.host() {
            Some(host) => host.name(),
            None => "Other assistant",
        }
    }

    /// The host whose commands and files are known.
    pub const fn host(self) -> Option<Host> {
        match self {
            Self::ClaudeCode => Some(Host::ClaudeCode),
            Self::Codex => Some(Host::Codex),
            Self::Gemini => Some(Host::Gemini),
            Self::VsCode => Some(Host::VsCode),
            Self::Cursor => Some(Host::Cursor),
            Self::Other => None,
        }
    }
}

/// Where a connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ConnectionState {
    /// Named by its person; no client was approved yet.
    Pending,
    /// A client was approved and may call.
    Active,
    /// Cut off for good.
    Revoked,
}

impl ConnectionState {
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Active, Self::Revoked];

    /// The word in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Revoked => "revoked",
        }
    }

    /// Reads the word in the store.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_the_same_on_every_surface() {
        for kind in AssistantKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
        for state in ConnectionState::ALL {
            assert_eq!(serde_json::to_value(state).unwrap(), state.as_str());
        }
    }
}
