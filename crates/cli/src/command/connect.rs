//! `countersign connect HOST`: what a host needs to find this server's connector; printed, or written into its file.

mod file;
mod merge;
mod place;

use clap::{Args, ValueEnum};
use countersign_core::host::{self, Recipe, ServerName};
use serde_json::json;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

pub(crate) use merge::Unreadable;

/// Prints a command and the setting that it writes, or writes the setting. Sign-in is OAuth, in your browser.
#[derive(Args, Debug)]
pub(crate) struct Connect {
    /// The host
    host: Host,
    /// The name under which the host lists the server
    #[arg(long, default_value_t, value_parser = ServerName::parse)]
    name: ServerName,
    /// Write the setting into the host's file; everything else in it stays
    #[arg(long)]
    write: bool,
}

/// The hosts that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Host {
    /// Claude Code: .mcp.json in this folder
    ClaudeCode,
    /// Codex: ~/.codex/config.toml
    Codex,
    /// Gemini CLI: .gemini/settings.json in this folder
    Gemini,
    /// Visual Studio Code: .vscode/mcp.json in this folder
    #[value(name = "vscode")]
    VsCode,
    /// Cursor: .cursor/mcp.json in this folder
    Cursor,
}

impl Connect {
    pub(super) fn run(self, context: &Context) -> Result<Answer, Failure> {
        let url = format!("{}/api/v1/external-mcp", context.origin()?);
        let recipe = Recipe::new(self.host.into(), &self.name, &url);
        if self.write {
            return write(&recipe, context);
        }
        let facts = json!({
            "url": url,
            "commands": recipe.commands,
            "file": recipe.file,
            "setting": recipe.setting,
            "sign_in": recipe.sign_in,
        });
        Ok(Answer::new(&facts, recipe.text()))
    }
}

fn write(recipe: &Recipe, context: &Context) -> Result<Answer, Failure> {
    let path = place::of(recipe, &context.environment)?;
    let written = file::update(&path, |before| merge::into(recipe, before))?;
    let (done, shown) = (written == file::Written::Changed, path.display().to_string());
    let text = if done {
        format!("Wrote {shown}. {}", recipe.sign_in)
    } else {
        format!("{shown} says it already. {}", recipe.sign_in)
    };
    Ok(Answer::new(&json!({ "path": shown, "changed": done, "sign_in": recipe.sign_in }), text))
}

impl From<Host> for host::Host {
    fn from(host: Host) -> Self {
        match host {
            Host::ClaudeCode => Self::ClaudeCode,
            Host::Codex => Self::Codex,
            Host::Gemini => Self::Gemini,
            Host::VsCode => Self::VsCode,
            Host::Cursor => Self::Cursor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_of_the_house_has_its_word_here() {
        let words: Vec<String> = Host::value_variants()
            .iter()
            .filter_map(|host| Some(host.to_possible_value()?.get_name().to_owned()))
            .collect();
        let known: Vec<&str> = host::Host::ALL.into_iter().map(host::Host::as_str).collect();
        assert_eq!(words, known);
        let led: Vec<host::Host> = Host::value_variants().iter().map(|host| (*host).into()).collect();
        assert_eq!(led, host::Host::ALL);
    }
}
