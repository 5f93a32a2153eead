//! What a host needs: its own command, or an entry in its file. The command line prints it, the pages show it.

use serde_json::{Value, json};

use super::{Host, ServerName};

/// How a person brings a host to this server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The host.
    pub host: Host,
    /// Commands of the host, one a line, that write the entry by themselves; none where a host has no such command.
    pub commands: Vec<String>,
    /// The file that the host reads, below the folder of the work or, with `~`, below the person's own.
    pub file: &'static str,
    /// The entry of that file.
    pub entry: Entry,
    /// The whole file, if nothing else is in it.
    pub setting: String,
    /// What is left to do in the host.
    pub sign_in: String,
}

/// The entry of one server in a host's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The table of servers.
    pub table: &'static str,
    /// The name of the server in it.
    pub name: ServerName,
    /// What the entry says, each with a text as its value.
    pub says: Vec<(&'static str, String)>,
    /// What older releases wrote in its place, and what would win over it.
    pub outdated: &'static [&'static str],
}

impl Recipe {
    /// What `host` needs to find the server at `url` under `name`.
    pub fn new(host: Host, name: &ServerName, url: &str) -> Self {
        let http = || vec![("type", "http".to_owned()), ("url", url.to_owned())];
        let entry = |table, says, outdated| Entry { table, name: name.clone(), says, outdated };
        let (commands, file, entry) = match host {
            Host::ClaudeCode => (
                vec![format!("claude mcp add --transport http {name} {url}")],
                ".mcp.json",
                entry("mcpServers", http(), &[] as &[_]),
            ),
            Host::Codex => (
                vec![format!("codex mcp add {name} --url {url}"), format!("codex mcp login {name}")],
                "~/.codex/config.toml",
                entry("mcp_servers", vec![("url", url.to_owned())], &[]),
            ),
            Host::Gemini => (
                vec![format!("gemini mcp add --transport http {name} {url}")],
                ".gemini/settings.json",
                entry("mcpServers", http(), &["httpUrl"]),
            ),
            Host::VsCode => (
                vec![format!(
                    "code --add-mcp '{}'",
                    json!({ "name": name.as_str(), "type": "http", "url": url })
                )],
                ".vscode/mcp.json",
                entry("servers", http(), &[]),
            ),
            Host::Cursor => {
                (Vec::new(), ".cursor/mcp.json", entry("mcpServers", vec![("url", url.to_owned())], &[]))
            }
        };
        let setting = if host == Host::Codex { entry.toml() } else { entry.json() };
        Self { host, commands, file, entry, setting, sign_in: sign_in(host, name) }
    }

    /// All of it as a person reads it on a terminal.
    pub fn text(&self) -> String {
        let Self { file, setting, sign_in, .. } = self;
        if self.commands.is_empty() {
            return format!("Put this into {file}:\n\n{setting}\n\n{sign_in}");
        }
        format!("{}\n\nor put this into {file}:\n\n{setting}\n\n{sign_in}", self.commands.join("\n"))
    }
}

impl Entry {
    /// What the entry says, as JSON.
    pub fn value(&self) -> Value {
        self.says.iter().map(|(key, text)| ((*key).to_owned(), Value::from(text.as_str()))).collect()
    }

    fn json(&self) -> String {
        format!("{:#}", json!({ self.table: { self.name.as_str(): self.value() } }))
    }

    /// The texts are addresses, of which none holds a quote.
    fn toml(&self) -> String {
        let lines = self.says.iter().map(|(key, text)| format!("\n{key} = \"{text}\""));
        format!("[{}.{}]{}", self.table, self.name, lines.collect::<String>())
    }
}

fn sign_in(host: Host, name: &ServerName) -> String {
    match host {
        Host::ClaudeCode => "Then start claude, type /mcp, choose the server and sign in.".to_owned(),
        Host::Codex => "The login opens your browser; then start codex.".to_owned(),
        Host::Gemini => format!("Then start gemini and type /mcp auth {name}."),
        Host::VsCode => {
            "Then run MCP: List Servers in VS Code, start the server and allow the sign-in.".to_owned()
        }
        Host::Cursor => "Then open Cursor's settings, choose the server under MCP and sign in.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "http://localhost:8420/api/v1/external-mcp";

    #[test]
    fn each_host_is_told_the_name_and_the_address() {
        let name = ServerName::parse("cs").unwrap();
        for host in Host::ALL {
            let recipe = Recipe::new(host, &name, URL);
            for part in
                recipe.commands.iter().filter(|command| !command.contains("login")).chain([&recipe.setting])
            {
                assert!(part.contains("cs") && part.contains(URL), "{host:?}: {part}");
            }
            assert!(recipe.entry.says.contains(&("url", URL.to_owned())));
            let text = recipe.text();
            assert!(
                recipe.commands.iter().all(|command| text.contains(command))
                    && text.contains(&recipe.setting)
            );
            assert_eq!(Host::parse(host.as_str()), Some(host));
        }
    }

    #[test]
    fn a_setting_is_the_entry_in_its_table() {
        let recipe = Recipe::new(Host::VsCode, &ServerName::default(), URL);
        let setting: Value = serde_json::from_str(&recipe.setting).unwrap();
        assert_eq!(setting, json!({ "servers": { "countersign": { "type": "http", "url": URL } } }));
        let recipe = Recipe::new(Host::Codex, &ServerName::default(), URL);
        assert_eq!(recipe.setting, format!("[mcp_servers.countersign]\nurl = \"{URL}\""));
    }
}
