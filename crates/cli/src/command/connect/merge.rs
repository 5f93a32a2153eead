//! The entry of this server in the text of a host's file: everything else stays, comments too.

mod json;
mod toml;

use countersign_core::host::{Entry, Host, Recipe};

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

/// The names under which hosts keep where a server is.
const PLACES: [&str; 3] = ["url", "httpUrl", "serverUrl"];

/// Parts of the names under which hosts keep what proves who they are, or whatever is sent along.
const CREDENTIALS: [&str; 10] =
    ["header", "auth", "token", "key", "secret", "password", "credential", "cookie", "cert", "env"];

/// Whether an entry holds something that is meant for the server that it names.
fn holds_credentials<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    names.any(|name| {
        let name = name.to_ascii_lowercase();
        CREDENTIALS.iter().any(|part| name.contains(part))
    })
}

/// Whether an entry that is at these places now is at `ours` already, so that what it holds is meant for us.
fn is_at<'a>(ours: &str, mut places: impl Iterator<Item = Option<&'a str>>) -> bool {
    let ours = origin(ours);
    let first = places.next();
    let same = |place: Option<&str>| place.is_some_and(|url| ours.is_some() && origin(url) == ours);
    first.is_some_and(|first| same(first) && places.all(same))
}

/// Scheme, host and port of an address (RFC 6454 §4); none of one that names a user or holds a variable.
fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let authority = rest.split(['/', '?', '#', '\\']).next()?.to_ascii_lowercase();
    let default = match scheme.as_str() {
        "https" => ":443",
        "http" => ":80",
        _ => return None,
    };
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b':' | b'[' | b']');
    if authority.is_empty() || !authority.bytes().all(is_plain) {
        return None;
    }
    let authority = authority.strip_suffix(default).unwrap_or(&authority);
    Some(format!("{scheme}://{authority}"))
}

/// The name is in use for a server elsewhere, and what proves who the person is to that one would go to us.
fn elsewhere(name: &str) -> Unreadable {
    Unreadable(format!("`{name}` in it is a server at another address, with credentials for it"))
}

/// The address that an entry says.
fn our_url(entry: &Entry) -> &str {
    entry.says.iter().find(|(key, _)| PLACES.contains(key)).map_or("", |(_, url)| url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (url, same) in [
            ("http://localhost:8420/", true),
            ("HTTP://LOCALHOST:8420/x?y", true),
            ("http://localhost:8421/", false),
            ("https://localhost:8420/", false),
            ("http://localhost:8420.evil.example/", false),
            ("http://localhost:8420@evil.example/", false),
            ("http://evil.example\\@localhost:8420/", false),
            ("${input:url}", false),
            ("", false),
        ] {
            assert_eq!(is_at("http://localhost:8420/api", [Some(url)].into_iter()), same, "{url}");
        }
        assert_eq!(origin("https://h.example:443/x"), origin("https://h.example"));
        assert!(!is_at("http://localhost:8420/api", std::iter::empty()), "an entry that names no place");
    }
}
