//! The hosts that people connect, and what each needs to find this server.

mod name;
mod recipe;

pub use name::{NotAName, ServerName};
pub use recipe::{Entry, Recipe};

/// A program in which an assistant works and that speaks MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// Claude Code, in a terminal.
    ClaudeCode,
    /// Codex, in a terminal.
    Codex,
    /// Gemini CLI, in a terminal.
    Gemini,
    /// Visual Studio Code.
    VsCode,
    /// Cursor.
    Cursor,
}

impl Host {
    /// Every host, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::VsCode, Self::Cursor];

    /// The word on the command line and in pages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::VsCode => "vscode",
            Self::Cursor => "cursor",
        }
    }

    /// Reads that word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.as_str() == text)
    }

    /// The name that a person knows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Gemini => "Gemini CLI",
            Self::VsCode => "VS Code",
            Self::Cursor => "Cursor",
        }
    }
}
