//! `countersign connect HOST`: what a host needs to find this server's connector.

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

/// Prints a command and the setting that it writes. Sign-in is OAuth, in your browser.
#[derive(Args, Debug)]
pub(crate) struct Connect {
    /// The host
    host: Host,
    /// The name under which the host lists the server
    #[arg(long, default_value = "countersign")]
    name: String,
}

/// The hosts that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Host {
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
}

/// What a host needs.
struct Recipe {
    commands: Vec<String>,
    file: &'static str,
    setting: String,
    sign_in: &'static str,
}

impl Connect {
    pub(super) fn run(self, context: &Context) -> Result<Answer, Failure> {
        let url = format!("{}/api/v1/external-mcp", context.origin()?);
        let recipe = self.host.recipe(&self.name, &url);
        let text = format!(
            "{}\n\nor put this into {}:\n\n{}\n\n{}",
            recipe.commands.join("\n"),
            recipe.file,
            recipe.setting,
            recipe.sign_in
        );
        let facts = json!({
            "url": url,
            "commands": recipe.commands,
            "file": recipe.file,
            "setting": recipe.setting,
            "sign_in": recipe.sign_in,
        });
        Ok(Answer::new(&facts, text))
    }
}

impl Host {
    fn recipe(self, name: &str, url: &str) -> Recipe {
        match self {
            Self::ClaudeCode => Recipe {
                commands: vec![format!("claude mcp add --transport http {name} {url}")],
                file: ".mcp.json",
                setting: format!("{:#}", json!({ "mcpServers": { name: { "type": "http", "url": url } } })),
                sign_in: "Then start claude, type /mcp, choose the server and sign in.",
            },
            Self::Codex => Recipe {
                commands: vec![
                    format!("codex mcp add {name} --url {url}"),
                    format!("codex mcp login {name}"),
                ],
                file: "~/.codex/config.toml",
                setting: format!("[mcp_servers.{name}]\nurl = \"{url}\""),
                sign_in: "The login opens your browser; then start codex.",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_is_told_the_connector() {
        for host in Host::value_variants() {
            let recipe = host.recipe("cs", "http://localhost:8420/api/v1/external-mcp");
            assert!(
                recipe.commands[0].ends_with(" http://localhost:8420/api/v1/external-mcp"),
                "{:?}",
                recipe.commands
            );
            assert!(
                recipe.setting.contains("\"http://localhost:8420/api/v1/external-mcp\""),
                "{}",
                recipe.setting
            );
        }
    }
}
