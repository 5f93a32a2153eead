//! What a hook and the server say to each other: a question in JSON, to its end, and an answer in JSON.

use serde::{Deserialize, Serialize};

/// The variable with the name of the socket, in the abstract namespace (unix(7)).
pub(crate) const SOCKET: &str = "COUNTERSIGN_HOOK_SOCKET";
/// The variable with the token that the server knows the push by.
pub(crate) const TOKEN: &str = "COUNTERSIGN_HOOK_TOKEN";

/// How long a question may be: a thousand refs with the longest names.
pub(crate) const MOST_BYTES: u64 = 1 << 20;

/// Which hook asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hook {
    /// Nothing has moved: may it?
    PreReceive,
    /// What was brought is in its place, and a ref is about to name it.
    Update,
    /// These refs have moved.
    PostReceive,
}

impl Hook {
    /// Reads the name by which git calls it.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "pre-receive" => Some(Self::PreReceive),
            "update" => Some(Self::Update),
            "post-receive" => Some(Self::PostReceive),
            _ => None,
        }
    }
}

/// What a hook asks.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    pub(crate) token: String,
    pub(crate) hook: Hook,
    /// The lines that git gave to the hook.
    pub(crate) updates: Vec<String>,
    /// Where git keeps what the push brought.
    pub(crate) quarantine: Option<std::path::PathBuf>,
}

/// What the server says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    /// Whether git may go on.
    pub(crate) accepted: bool,
    /// What to show to whoever pushes.
    pub(crate) lines: Vec<String>,
}

impl Answer {
    /// Go on.
    pub(crate) const fn yes() -> Self {
        Self { accepted: true, lines: Vec::new() }
    }

    /// Stop: nobody said that this may go on.
    pub(crate) fn not_allowed() -> Self {
        Self::no(vec!["This push was not allowed.".to_owned()])
    }

    /// Stop, and say why.
    pub(crate) const fn no(lines: Vec<String>) -> Self {
        Self { accepted: false, lines }
    }
}
