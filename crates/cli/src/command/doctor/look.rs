//! What the doctor looks at, one finding each. Nothing stays made or changed.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use countersign_core::text::count;
use countersign_fetch::{Client, FetchError, Origin};
use countersign_git::process::Git;
use countersign_server::config::Config;
use serde_json::{Value, json};

use crate::answer::Verdict;

/// How long a server of this machine may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// One thing that was looked at.
#[derive(Debug)]
pub(super) struct Finding {
    /// What it is about.
    pub(super) about: &'static str,
    /// Whether it is as it should be.
    pub(super) verdict: Verdict,
    /// What was found, and for a mistake what to do.
    pub(super) said: String,
}

impl Finding {
    pub(super) fn good(about: &'static str, said: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Good, said: said.into() }
    }

    pub(super) fn wrong(about: &'static str, said: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Wrong, said: said.into() }
    }

    /// The same for a script.
    pub(super) fn json(&self) -> Value {
        json!({ "about": self.about, "good": self.verdict == Verdict::Good, "said": self.said })
    }
}

/// The configuration by name, without secrets.
pub(super) fn settings(config: &Config) -> Vec<(&'static str, String)> {
    vec![
        ("bind", config.bind.to_string()),
        ("public_url", config.public_url.clone()),
        ("data", config.data.display().to_string()),
        ("database_url", without_password(&config.database_url)),
        ("repositories", config.repositories.display().to_string()),
        ("repository_quota_mib", config.repository_quota_mib.to_string()),
        ("trusted_proxies", list(&config.trusted_proxies)),
        ("send_issuer", on(config.send_issuer)),
        ("custom_redirects", list(&config.custom_redirects)),
        ("client_documents", on(config.client_documents)),
        ("client_registration", on(config.client_registration)),
        ("git", config.git.as_ref().map_or("found on the path".to_owned(), |git| git.display().to_string())),
    ]
}

fn on(switch: bool) -> String {
    if switch { "on" } else { "off" }.to_owned()
}

fn list(values: &[impl ToString]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    if values.is_empty() { "none".to_owned() } else { values.join(", ") }
}

/// `postgres://name:…@host/base`: what stands between the first colon after `//` and the last `@` is left out.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let Some((user, host)) = rest.rsplit_once('@') else { return url.to_owned() };
    match user.split_once(':') {
        Some((name, _)) => format!("{scheme}://{name}:…@{host}"),
        None => url.to_owned(),
    }
}

/// Every look.
pub(super) async fn all(config: &Config) -> Vec<Finding> {
    let mut found = vec![git(config).await, public_url(config)];
    found.push(folder("data folder", &config.data));
    found.push(folder("repositories", &config.repositories));
    found.extend(keys(&config.repositories.join("keys")));
    found.extend(database(config).await);
    found.push(server(config).await);
    found
}

/// Whether the configured database answers, and whether what it knows is on disk.
async fn database(config: &Config) -> Vec<Finding> {
    const ABOUT: &str = "database";
    let seen = match countersign_server::look::repositories(config).await {
        Ok(Some(seen)) => seen,
        Ok(None) => {
            return vec![not_yet(ABOUT, Path::new(config.database_url.trim_start_matches("sqlite:")))];
        }
        Err(error) => {
            return vec![Finding::wrong(ABOUT, format!("{error}; check database_url and the database"))];
        }
    };
    let mut found = vec![Finding::good(ABOUT, "answers")];
    let broken = seen.broken.into_iter();
    found.extend(broken.map(|(id, why)| Finding::wrong("repository", format!("{id} does not open: {why}"))));
    if found.len() == 1 {
        found.push(Finding::good(
            "repositories",
            format!("{} on disk, and none broken", count(seen.known, "repository")),
        ));
    }
    found
}

async fn git(config: &Config) -> Finding {
    match Git::find(config.git.as_deref(), config.repositories.join("no-hooks")).await {
        Ok(git) => Finding::good("git", git.version().to_string()),
        Err(error) => Finding::wrong("git", error.to_string()),
    }
}

fn public_url(config: &Config) -> Finding {
    const ABOUT: &str = "public_url";
    if config.public_url.starts_with("https://") {
        return Finding::good(ABOUT, "browsers reach the server over TLS");
    }
    let host = config.public_url.trim_start_matches("http://");
    let local = ["localhost", "127.0.0.1", "[::1]"]
        .iter()
        .any(|name| host.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':')));
    if !local {
        return Finding::wrong(
            ABOUT,
            "passwords and tokens would cross the network in the clear; put TLS in front and give the https address",
        );
    }
    if config.bind.ip().is_loopback() {
        return Finding::good(ABOUT, "for this machine alone");
    }
    Finding::wrong(
        ABOUT,
        "the server listens on the network and calls itself localhost; give the address that others use",
    )
}

fn folder(about: &'static str, path: &Path) -> Finding {
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return not_yet(about, path);
        }
        Err(error) => {
            return Finding::wrong(about, format!("{} cannot be read: {error}", path.display()));
        }
    };
    if !metadata.is_dir() {
        return Finding::wrong(about, format!("{} is no folder; name another", path.display()));
    }
    let others = metadata.permissions().mode() & 0o007;
    if others != 0 {
        let said = format!("everyone on this machine may look into it; chmod o= {}", path.display());
        return Finding::wrong(about, said);
    }
    match try_to_write(path) {
        Ok(()) => Finding::good(about, "can be written to"),
        Err(error) => Finding::wrong(
            about,
            format!(
                "{} cannot be written to: {error}; give this user the right, or free space",
                path.display()
            ),
        ),
    }
}

/// What is not there is made at the first start, where that can be.
fn not_yet(about: &'static str, path: &Path) -> Finding {
    let above = path.ancestors().skip(1).find(|folder| folder.as_os_str().is_empty() || folder.exists());
    let above = above.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match try_to_write(above) {
        Ok(()) => Finding::good(about, "is made at the first start"),
        Err(error) => Finding::wrong(
            about,
            format!(
                "{} cannot be made in {}: {error}; name another, or give this user the right",
                path.display(),
                above.display()
            ),
        ),
    }
}

/// Writes a file that has no name and is gone when it is closed.
fn try_to_write(folder: &Path) -> std::io::Result<()> {
    let mut file = tempfile::tempfile_in(folder)?;
    file.write_all(&[0; 4096])?;
    file.sync_all()
}

fn keys(folder: &Path) -> Vec<Finding> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let open = entry
            .metadata()
            .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o077 != 0);
        if open && path.extension().is_none_or(|ext| ext != "pub") {
            found
                .push(Finding::wrong("keys", format!("others may read a key; chmod 600 {}", path.display())));
        }
    }
    if found.is_empty() {
        found.push(Finding::good("keys", "are readable for this user alone"));
    }
    found
}

/// Whether a server answers here, whichever it is.
async fn server(config: &Config) -> Finding {
    const ABOUT: &str = "server";
    let asked = async {
        let client = Client::new(Origin::parse(&format!("http://{}", config.bind))?, None)?.patient(PATIENCE);
        client.status(&["readyz"]).await
    };
    match asked.await {
        Ok(200) => Finding::good(ABOUT, format!("one answers on {} and is ready", config.bind)),
        Ok(503) => Finding::wrong(
            ABOUT,
            format!("the one on {} cannot reach its database; see its log", config.bind),
        ),
        Ok(status) => Finding::wrong(
            ABOUT,
            format!(
                "{} is taken by something else, which answers {status}; choose another with --bind",
                config.bind
            ),
        ),
        Err(FetchError::Unreachable { .. }) => Finding::good(ABOUT, "does not run"),
        Err(error) => Finding::wrong(ABOUT, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        assert_eq!(without_password("postgres://cs:p@ss:w@db:5432/cs"), "postgres://cs:…@db:5432/cs");
        for plain in ["sqlite:/srv/cs.db", "postgres://db/cs", "postgres://cs@db/cs"] {
            assert_eq!(without_password(plain), plain);
        }
    }

    fn config_in(data: &Path, database_url: Option<&str>) -> Config {
        let layer = countersign_server::config::Layer {
            data: Some(data.to_owned()),
            database_url: database_url.map(str::to_owned),
            ..Default::default()
        };
        countersign_server::config::resolve(layer, &std::collections::BTreeMap::new()).unwrap()
    }

    #[tokio::test]
    async fn the_configured_database_is_asked_and_not_whoever_holds_the_port() {
        let data = tempfile::tempdir().unwrap();
        let found = database(&config_in(data.path(), Some("postgres://nobody@127.0.0.1:1/none"))).await;
        assert_eq!(found.iter().map(|finding| finding.verdict).collect::<Vec<_>>(), [Verdict::Wrong]);
        let found = database(&config_in(data.path(), None)).await;
        assert_eq!(found.iter().map(|finding| finding.verdict).collect::<Vec<_>>(), [Verdict::Good]);
        assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 0, "nothing was made");
    }

    #[test]
    fn a_folder_is_written_to_and_left_as_it_was() {
        let data = tempfile::tempdir().unwrap();
        std::fs::set_permissions(data.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(folder("data folder", data.path()).verdict, Verdict::Good);
        assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 0);
        assert!(try_to_write(Path::new("/proc")).is_err());
        assert_eq!(folder("data folder", &data.path().join("not/yet")).verdict, Verdict::Good);
        assert_eq!(folder("data folder", Path::new("not-yet-here")).verdict, Verdict::Good);
        assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 0);
        let nowhere = folder("data folder", Path::new("/proc/x"));
        assert_eq!(nowhere.verdict, Verdict::Wrong);
        assert!(nowhere.said.contains("/proc/x cannot be made"), "{}", nowhere.said);
    }

    #[test]
    fn an_address_in_the_clear_is_a_mistake_unless_it_is_this_machine() {
        let verdict = |bind: &str, url: &str| {
            let config = countersign_server::config::resolve(
                countersign_server::config::Layer {
                    bind: bind.parse().ok(),
                    public_url: Some(url.to_owned()),
                    data: Some("nowhere".into()),
                    ..Default::default()
                },
                &std::collections::BTreeMap::new(),
            );
            public_url(&config.unwrap()).verdict
        };
        assert_eq!(verdict("127.0.0.1:8420", "http://localhost:8420"), Verdict::Good);
        assert_eq!(verdict("0.0.0.0:8420", "https://cs.example"), Verdict::Good);
        assert_eq!(verdict("0.0.0.0:8420", "http://localhost:8420"), Verdict::Wrong);
        assert_eq!(verdict("127.0.0.1:8420", "http://cs.example"), Verdict::Wrong);
        assert_eq!(verdict("127.0.0.1:8420", "http://localhost.evil.example"), Verdict::Wrong);
    }
}
