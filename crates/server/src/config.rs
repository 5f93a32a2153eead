//! Configuration: defaults, a file, the environment and flags, in rising order.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::proxy::TrustedProxy;

/// Everything that an operator can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The address to listen on.
    pub bind: SocketAddr,
    /// The one public address.
    pub public_url: String,
    /// The data folder.
    pub data: PathBuf,
    /// `sqlite:PATH` or `postgres://…`.
    pub database_url: String,
    /// The folder of repositories.
    pub repositories: PathBuf,
    /// The git to use instead of the first one on the path.
    pub git: Option<PathBuf>,
    /// Whether authorization responses carry `iss` (RFC 9207).
    pub send_issuer: bool,
    /// Redirect URIs with a custom scheme that are accepted.
    pub custom_redirects: Vec<String>,
    /// Whether a client may be known by its metadata document, which is then fetched from its host.
    pub client_documents: bool,
    /// Whether a client may register (RFC 7591).
    pub client_registration: bool,
    /// How many seconds a proposal waits for a person.
    pub proposal_lifetime_s: u64,
    /// How many calls a connection has a minute.
    pub rate_limit: u32,
    /// How many MiB of the disk a repository may take before pushes to it are refused.
    pub repository_quota_mib: u32,
    /// Whose `X-Forwarded-For` says where a request comes from; by default nobody's.
    pub trusted_proxies: Vec<TrustedProxy>,
}

/// What one source says; what it leaves out stays as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// See [`Config::bind`].
    pub bind: Option<SocketAddr>,
    /// See [`Config::public_url`].
    pub public_url: Option<String>,
    /// See [`Config::data`].
    pub data: Option<PathBuf>,
    /// See [`Config::database_url`].
    pub database_url: Option<String>,
    /// See [`Config::repositories`].
    pub repositories: Option<PathBuf>,
    /// See [`Config::git`].
    pub git: Option<PathBuf>,
    /// See [`Config::send_issuer`].
    pub send_issuer: Option<bool>,
    /// See [`Config::custom_redirects`].
    pub custom_redirects: Option<Vec<String>>,
    /// See [`Config::client_documents`].
    pub client_documents: Option<bool>,
    /// See [`Config::client_registration`].
    pub client_registration: Option<bool>,
    /// See [`Config::proposal_lifetime_s`].
    pub proposal_lifetime_s: Option<u64>,
    /// See [`Config::rate_limit`].
    pub rate_limit: Option<u32>,
    /// See [`Config::repository_quota_mib`].
    pub repository_quota_mib: Option<u32>,
    /// See [`Config::trusted_proxies`].
    pub trusted_proxies: Option<Vec<TrustedProxy>>,
}

/// Why a configuration cannot be used; the sentence says what to change.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("the configuration file {path} cannot be read")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("the configuration file {path} is wrong in line {line}: {why}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from one.
        line: usize,
        /// What is wrong in it; never its text, which may hold a password.
        why: String,
    },
    /// A variable has a value that does not fit.
    #[error("{name} is `{value}`; give {wanted}")]
    Variable {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// What fits.
        wanted: &'static str,
    },
    /// The public address cannot be one.
    #[error("public_url is `{0}`; give http:// or https:// and a host, without a path")]
    PublicUrl(String),
    /// There is no home folder to put data under.
    #[error("there is no home folder; name a data folder with --data or COUNTERSIGN_DATA")]
    NoHome,
}

impl Layer {
    /// Reads a file in TOML; none is no error.
    pub fn file(path: &Path) -> Result<Self, ConfigError> {
        match std::fs::read_to_string(path) {
            Ok(text) => toml::from_str(&text).map_err(|error| malformed(path, &text, &error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(ConfigError::Unreadable { path: path.to_owned(), source }),
        }
    }

    /// Reads `COUNTERSIGN_BIND`, `_PUBLIC_URL`, `_DATA`, `_DATABASE_URL`, `_REPOSITORIES`, `_GIT` and
    /// `_TRUSTED_PROXIES`, a list with commas.
    pub fn environment(variables: &BTreeMap<String, String>) -> Result<Self, ConfigError> {
        let get = |name: &str| variables.get(name).filter(|value| !value.is_empty()).cloned();
        let bind = match get("COUNTERSIGN_BIND") {
            None => None,
            Some(value) => Some(value.parse().map_err(|_| ConfigError::Variable {
                name: "COUNTERSIGN_BIND",
                value,
                wanted: "an address and a port, as 127.0.0.1:8420",
            })?),
        };
        let trusted_proxies = match get("COUNTERSIGN_TRUSTED_PROXIES") {
            None => None,
            Some(value) => {
                let list = value.split(',').map(|proxy| proxy.trim().parse());
                Some(list.collect::<Result<_, _>>().map_err(|_| ConfigError::Variable {
                    name: "COUNTERSIGN_TRUSTED_PROXIES",
                    value,
                    wanted: "IP addresses or networks with commas between them, as 10.0.0.7,fd00::/8",
                })?)
            }
        };
        Ok(Self {
            bind,
            public_url: get("COUNTERSIGN_PUBLIC_URL"),
            data: get("COUNTERSIGN_DATA").map(PathBuf::from),
            database_url: get("COUNTERSIGN_DATABASE_URL"),
            repositories: get("COUNTERSIGN_REPOSITORIES").map(PathBuf::from),
            git: get("COUNTERSIGN_GIT").map(PathBuf::from),
            trusted_proxies,
            ..Self::default()
        })
    }

    fn over(self, lower: Self) -> Self {
        Self {
            bind: self.bind.or(lower.bind),
            public_url: self.public_url.or(lower.public_url),
            data: self.data.or(lower.data),
            database_url: self.database_url.or(lower.database_url),
            repositories: self.repositories.or(lower.repositories),
            git: self.git.or(lower.git),
            send_issuer: self.send_issuer.or(lower.send_issuer),
            custom_redirects: self.custom_redirects.or(lower.custom_redirects),
            client_documents: self.client_documents.or(lower.client_documents),
            client_registration: self.client_registration.or(lower.client_registration),
            proposal_lifetime_s: self.proposal_lifetime_s.or(lower.proposal_lifetime_s),
            rate_limit: self.rate_limit.or(lower.rate_limit),
            repository_quota_mib: self.repository_quota_mib.or(lower.repository_quota_mib),
            trusted_proxies: self.trusted_proxies.or(lower.trusted_proxies),
        }
    }
}

fn malformed(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let why = error.message().lines().collect::<Vec<_>>().join("; ");
    ConfigError::Malformed { path: path.to_owned(), line, why }
}

/// The data folder when nobody names one: `$XDG_DATA_HOME/countersign`, else below the home folder.
pub fn default_data(variables: &BTreeMap<String, String>) -> Option<PathBuf> {
    let absolute = |name: &str| variables.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || absolute("HOME").map(|home| home.join(".local/share"));
    absolute("XDG_DATA_HOME").or_else(home).map(|base| base.join("countersign"))
}

/// The result of all sources. `flags` beat the environment, which beats `DATA/config.toml`.
pub fn resolve(flags: Layer, variables: &BTreeMap<String, String>) -> Result<Config, ConfigError> {
    let upper = flags.over(Layer::environment(variables)?);
    let Some(data) = upper.data.clone().or_else(|| default_data(variables)) else {
        return Err(ConfigError::NoHome);
    };
    let layer = upper.over(Layer::file(&data.join("config.toml"))?);
    let bind = layer.bind.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8420)));
    let public_url = layer.public_url.unwrap_or_else(|| format!("http://localhost:{}", bind.port()));
    let database =
        layer.database_url.unwrap_or_else(|| format!("sqlite:{}", data.join("countersign.db").display()));
    Ok(Config {
        bind,
        public_url: check_public_url(&public_url)?,
        database_url: database,
        repositories: layer.repositories.unwrap_or_else(|| data.join("repositories")),
        git: layer.git,
        send_issuer: layer.send_issuer.unwrap_or(true),
        custom_redirects: layer.custom_redirects.unwrap_or_default(),
        client_documents: layer.client_documents.unwrap_or(true),
        client_registration: layer.client_registration.unwrap_or(true),
        proposal_lifetime_s: layer.proposal_lifetime_s.unwrap_or(24 * 60 * 60),
        rate_limit: layer.rate_limit.unwrap_or(2000),
        repository_quota_mib: layer.repository_quota_mib.unwrap_or(5 << 10),
        trusted_proxies: layer.trusted_proxies.unwrap_or_default(),
        data,
    })
}

fn check_public_url(text: &str) -> Result<String, ConfigError> {
    let trimmed = text.trim_end_matches('/');
    let wrong = || ConfigError::PublicUrl(text.to_owned());
    let uri: http::Uri = trimmed.parse().map_err(|_| wrong())?;
    let scheme_fits = matches!(uri.scheme_str(), Some("http" | "https"));
    let bare = uri.path() == "/" && uri.query().is_none() && !trimmed.contains('@');
    if scheme_fits && bare && uri.host().is_some_and(|host| !host.is_empty()) {
        Ok(trimmed.to_owned())
    } else {
        Err(wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(list: &[(&str, &str)]) -> BTreeMap<String, String> {
        list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn flags_beat_the_environment_and_that_beats_the_default() {
        let env = variables(&[
            ("HOME", "/h"),
            ("COUNTERSIGN_BIND", "127.0.0.1:1"),
            ("COUNTERSIGN_PUBLIC_URL", "https://c.example/"),
        ]);
        let flags = Layer { bind: "127.0.0.1:2".parse().ok(), ..Layer::default() };
        let config = resolve(flags, &env).unwrap();
        assert_eq!(config.bind.port(), 2);
        assert_eq!(config.public_url, "https://c.example");
        assert_eq!(config.database_url, "sqlite:/h/.local/share/countersign/countersign.db");
    }

    #[test]
    fn git_is_named_by_a_flag_the_environment_or_the_file() {
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join("config.toml"), "git = \"/file/git\"\n").unwrap();
        let named = |flag: Option<&str>, env: &[(&str, &str)]| {
            let data = Some(data.path().to_owned());
            let flags = Layer { git: flag.map(PathBuf::from), data, ..Layer::default() };
            resolve(flags, &variables(env)).unwrap().git.unwrap()
        };
        let env = [("COUNTERSIGN_GIT", "/env/git")];
        assert_eq!(named(Some("/flag/git"), &env), Path::new("/flag/git"));
        assert_eq!(named(None, &env), Path::new("/env/git"));
        assert_eq!(named(None, &[]), Path::new("/file/git"));
    }

    #[test]
    fn trusted_proxies_come_from_the_environment_or_the_file_and_are_checked() {
        let data = tempfile::tempdir().unwrap();
        let file = |text: &str| std::fs::write(data.path().join("config.toml"), text).unwrap();
        let named = |env: &[(&str, &str)]| {
            let flags = Layer { data: Some(data.path().to_owned()), ..Layer::default() };
            let config = resolve(flags, &variables(env)).ok()?;
            Some(config.trusted_proxies.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(named(&[]).unwrap(), [""; 0]);
        file("trusted_proxies = [\"10.0.0.0/8\"]\n");
        assert_eq!(named(&[]).unwrap(), ["10.0.0.0/8"]);
        let env = [("COUNTERSIGN_TRUSTED_PROXIES", "10.0.0.7, fd00::/8")];
        assert_eq!(named(&env).unwrap(), ["10.0.0.7/32", "fd00::/8"]);
        assert_eq!(named(&[("COUNTERSIGN_TRUSTED_PROXIES", "proxy.example")]), None);
        file("trusted_proxies = [\"proxy.example\"]\n");
        assert_eq!(named(&[]), None);
    }

    #[test]
    fn what_sign_in_offers_is_switched_off_in_the_file_and_on_without_a_word() {
        let data = tempfile::tempdir().unwrap();
        let offered = || {
            let flags = Layer { data: Some(data.path().to_owned()), ..Layer::default() };
            let config = resolve(flags, &variables(&[])).unwrap();
            (config.send_issuer, config.client_documents, config.client_registration, config.custom_redirects)
        };
        assert_eq!(offered(), (true, true, true, Vec::new()));
        let file = "send_issuer = false\nclient_documents = false\nclient_registration = false\n\
            custom_redirects = [\"app://x/cb\"]\n";
        std::fs::write(data.path().join("config.toml"), file).unwrap();
        assert_eq!(offered(), (false, false, false, vec!["app://x/cb".to_owned()]));
    }

    #[test]
    fn a_wrong_file_is_named_with_its_line_and_without_its_text() {
        let data = tempfile::tempdir().unwrap();
        let wrong = |text: &str| {
            std::fs::write(data.path().join("config.toml"), text).unwrap();
            let flags = Layer { data: Some(data.path().to_owned()), ..Layer::default() };
            resolve(flags, &variables(&[])).unwrap_err().to_string()
        };
        let unknown = wrong("rate_limit = 5\nbnd = \"hidden\"\n");
        assert!(unknown.contains("config.toml is wrong in line 2: unknown field `bnd`"), "{unknown}");
        let cut = wrong("rate_limit = 5\n\ndatabase_url = \"postgres://cs:hidden@db/cs\n");
        assert!(cut.contains("is wrong in line 3: "), "{cut}");
        for told in [unknown, cut] {
            assert!(!told.contains("hidden") && !told.contains('\n'), "{told}");
        }
    }

    #[test]
    fn a_public_address_with_a_path_is_refused() {
        for url in ["https://c.example/x", "ftp://c.example", "c.example", "https://", "https://u@c.example"]
        {
            let flags = Layer { public_url: Some(url.to_owned()), ..Layer::default() };
            assert!(resolve(flags, &variables(&[("HOME", "/h")])).is_err(), "{url}");
        }
    }
}
