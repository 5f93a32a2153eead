//! The entry of this server in the text of a host's file: everything else stays, comments too.

mod json;
mod toml;

use countersign_core::host::{Host, Recipe};

/// Why a text is left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unreadable(pub(super) String);

/// `text` with the entry of `recipe`; it is the same text when that is in it already.
pub(super) fn into(recipe: &Recipe, text: &str) -> Result<String, Unreadable> {
    let merged = match recipe.host {
        Host::Codex => toml::merge(&recipe.entry, text)?,
        Host::ClaudeCode | Host::Gemini | Host::VsCode | Host::Cursor => json::merge(&recipe.entry, text)?,
    };
    Ok(merged)
}

/// The name is in use for a program on this machine.
fn taken(name: &str) -> Unreadable {
    Unreadable(format!("`{name}` in it is another server, which runs a command"))
}
