//! Who may name which crate from outside: one owner for what shapes the house, and a short list for everyone.

use crate::finding::Finding;
use crate::package::Package;
use crate::repository::Repository;

/// Crates with owners.
const OWNED: &[(&str, &[&str])] = &[
    // SQL and the queue before it.
    ("rusqlite", &["store"]),
    ("tokio-postgres", &["store"]),
    ("deadpool-postgres", &["store"]),
    ("crossbeam-channel", &["store"]),
    // Git objects and the processes of git.
    ("gix", &["git"]),
    ("caseless", &["core", "git"]),
    ("rustix", &["bench", "git", "git-http", "server", "store", "testkit"]),
    // MCP.
    ("rmcp", &["bench", "mcp", "testkit", "cli"]),
    // HTTP.
    ("axum", &["bench", "mcp", "web", "oauth", "git-http", "server"]),
    ("hyper-util", &["server"]),
    ("ipnet", &["server"]),
    ("tokio-io-timeout", &["server"]),
    ("tower", &["git-http", "mcp", "oauth", "server", "testkit", "web"]),
    ("tower-http", &["server", "web"]),
    ("reqwest", &["fetch", "testkit"]),
    ("rustls", &["fetch"]),
    ("tokio-rustls", &["fetch"]),
    ("rcgen", &["fetch"]),
    ("async-compression", &["git-http"]),
    ("maud", &["web"]),
    ("percent-encoding", &["web"]),
    ("pulldown-cmark", &["web"]),
    // The command line.
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("mimalloc", &["bench", "cli"]),
    ("rpassword", &["cli"]),
    ("tracing-subscriber", &["server", "testkit"]),
    // The configuration file.
    ("toml", &["server"]),
    // The files of hosts, changed in place.
    ("jsonc-parser", &["cli"]),
    ("toml_edit", &["cli"]),
    // The file of a backup.
    ("tar", &["app"]),
    // Secrets.
    ("argon2", &["app"]),
    ("chacha20poly1305", &["app"]),
    ("hkdf", &["app"]),
    ("hmac", &["core", "app"]),
    ("ed25519-dalek", &["app", "git"]),
    ("getrandom", &["server"]),
    ("passki", &["app"]),
    ("subtle", &["core", "app"]),
    // Text.
    ("jiff", &["core"]),
    ("unicode-normalization", &["core"]),
    ("schemars", &["app", "core", "mcp", "web"]),
    ("tiktoken-rs", &["mcp"]),
    ("serde_json_canonicalizer", &["app"]),
];

/// Small crates that any crate of ours may name.
const OPEN: &[&str] = &[
    "base64",
    "bytes",
    "futures-util",
    "http",
    "insta",
    "proptest",
    "serde",
    "serde_json",
    "sha2",
    "tempfile",
    "thiserror",
    "tokio",
    "tokio-stream",
    "tokio-util",
    "tracing",
    "uuid",
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    repository.packages.iter().flat_map(of_package).collect()
}

fn of_package(package: &Package) -> Vec<Finding> {
    let user = package.short();
    package
        .dependencies
        .iter()
        .filter(|dependency| !dependency.is_ours() && !OPEN.contains(&dependency.short()))
        .filter_map(|dependency| {
            let name = dependency.short();
            match OWNED.iter().find(|(owned, _)| *owned == name) {
                Some((_, owners)) if owners.contains(&user) => None,
                Some((_, owners)) => Some(Finding::new(
                    format!("crate {user}"),
                    format!("names {name}, which belongs to {}", owners.join(", ")),
                    "Ask the owner's crate for what is needed.",
                )),
                None => Some(Finding::new(
                    format!("crate {user}"),
                    format!("names {name}, which nobody owns yet"),
                    "Read it, see that it is small and alive, and add it to xtask/src/rule/owner.rs.",
                )),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::Dependency;

    #[test]
    fn who_is_not_the_owner_is_found() {
        let uses = |user| {
            of_package(&Package::of(
                user,
                vec![Dependency::outside("rusqlite"), Dependency::outside("serde")],
            ))
        };
        assert!(uses("store").is_empty());
        assert_eq!(uses("web").len(), 1);
    }

    #[test]
    fn a_crate_that_nobody_looked_at_is_found() {
        assert_eq!(of_package(&Package::of("core", vec![Dependency::outside("left-pad")])).len(), 1);
    }

    #[test]
    fn no_crate_is_both_owned_and_open() {
        assert!(OWNED.iter().all(|(name, _)| !OPEN.contains(name)));
    }
}
