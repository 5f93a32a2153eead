//! Files of TOML.

use countersign_core::host::Entry;
use toml_edit::{DocumentMut, Item, Table, TableLike, value};

use super::{PLACES, Unreadable, elsewhere, holds_credentials, is_at, our_url, taken};

/// `text` with the entry.
pub(super) fn merge(entry: &Entry, text: &str) -> Result<String, Unreadable> {
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| Unreadable(error.to_string()))?;
    let mut table = Table::new();
    // Written as `[mcp_servers.name]`, with no line for the table above.
    table.set_implicit(true);
    let servers = below(document.as_table_mut(), entry.table, table)?;
    let server = below(servers, entry.name.as_str(), Table::new())?;
    if server.contains_key("command") {
        return Err(taken(entry.name.as_str()));
    }
    let places = PLACES.iter().filter_map(|place| server.get(place)).map(Item::as_str);
    let is_ours = is_at(our_url(entry), places);
    if holds_credentials(server.iter().map(|(name, _)| name)) && !is_ours {
        return Err(elsewhere(entry.name.as_str()));
    }
    for key in entry.outdated {
        server.remove(key);
    }
    for (key, text) in &entry.says {
        if server.get(key).and_then(Item::as_str) != Some(text.as_str()) {
            server.insert(key, value(text.as_str()));
        }
    }
    Ok(document.to_string())
}

/// The table under a name, however it is written; `fresh` when there is none.
fn below<'a>(
    above: &'a mut dyn TableLike,
    name: &str,
    fresh: Table,
) -> Result<&'a mut dyn TableLike, Unreadable> {
    above
        .entry(name)
        .or_insert(Item::Table(fresh))
        .as_table_like_mut()
        .ok_or_else(|| Unreadable(format!("{name} is no table")))
}

#[cfg(test)]
mod tests {
    use countersign_core::host::{Host, Recipe, ServerName};

    use super::*;

    fn recipe() -> Recipe {
        Recipe::new(Host::Codex, &ServerName::default(), "http://localhost:8420/api/v1/external-mcp")
    }

    #[test]
    fn an_empty_file_becomes_the_setting() {
        assert_eq!(merge(&recipe().entry, "").unwrap(), format!("{}\n", recipe().setting));
    }

    #[test]
    fn everything_else_stays_to_the_letter_and_a_second_time_changes_nothing() {
        let text =
            "# mine\nmodel = 'o' # keep\n\n[mcp_servers.other]\ncommand = \"x\"\n\n[tui]\ntheme = \"dark\"\n";
        let merged = merge(&recipe().entry, text).unwrap();
        insta::assert_snapshot!(merged);
        assert_eq!(merge(&recipe().entry, &merged).unwrap(), merged);
    }

    #[test]
    fn an_entry_of_before_is_brought_up_to_date_however_it_is_written() {
        for text in [
            "[mcp_servers.countersign]\nurl = \"http://old/\"\nenabled = true\n",
            "[mcp_servers]\ncountersign = { url = \"http://old/\", enabled = true }\n",
            "mcp_servers = { countersign = { enabled = true } }\n",
            "mcp_servers.countersign.enabled = true\n",
        ] {
            let merged: toml_edit::DocumentMut = merge(&recipe().entry, text).unwrap().parse().unwrap();
            let server = &merged["mcp_servers"]["countersign"];
            assert_eq!(server["url"].as_str(), Some(recipe().entry.says[0].1.as_str()), "{text}");
            assert_eq!(server["enabled"].as_bool(), Some(true), "{text}");
        }
    }

    #[test]
    fn credentials_for_a_server_elsewhere_are_not_sent_to_us() {
        for credential in
            ["bearer_token_env_var = 'T'", "http_headers = { x = 's' }", "env_http_headers = { x = 'E' }"]
        {
            let at = |url: &str| format!("[mcp_servers.countersign]\nurl = '{url}'\n{credential}\n");
            let refused = merge(&recipe().entry, &at("https://other.example/mcp")).unwrap_err();
            assert!(refused.0.contains("another address"), "{credential}: {refused}");
            assert!(merge(&recipe().entry, &at("http://localhost:8420/old")).is_ok(), "{credential}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (text, why) in [
            ("[a", "TOML parse error"),
            ("a = 1\na = 2\n", "duplicate key"),
            ("mcp_servers = 7\n", "mcp_servers is no table"),
            ("[[mcp_servers]]\n", "mcp_servers is no table"),
            ("mcp_servers.countersign = \"x\"\n", "countersign is no table"),
            ("[mcp_servers.countersign]\ncommand = \"x\"\n", "runs a command"),
        ] {
            let refused = merge(&recipe().entry, text).unwrap_err();
            assert!(refused.0.contains(why), "{text}: {refused}");
        }
    }
}
