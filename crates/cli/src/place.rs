//! Where this machine's server keeps and shows itself: the flags over environment, file and defaults.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use countersign_server::config::{self, Config, Layer};

use crate::failure::Failure;

/// The flags of commands that are about this machine's server.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Place {
    /// The address to listen on [default: 127.0.0.1:8420]
    #[arg(long)]
    pub(crate) bind: Option<SocketAddr>,
    /// The one public address; issuer, links and cookies follow from it [default: <http://localhost:PORT>]
    #[arg(long)]
    pub(crate) public_url: Option<String>,
    /// The data folder [default: countersign in the user's data folder]
    #[arg(long)]
    pub(crate) data: Option<PathBuf>,
    /// sqlite:PATH or postgres://… [default: a SQLite file in the data folder]
    #[arg(long)]
    pub(crate) database_url: Option<String>,
    /// The folder of repositories, shared between servers [default: in the data folder]
    #[arg(long)]
    pub(crate) repositories: Option<PathBuf>,
    /// The git program, 2.43 or newer [default: the first one in the system's folders]
    #[arg(long)]
    pub(crate) git: Option<PathBuf>,
}

impl Place {
    /// The configuration that results.
    pub(crate) fn resolve(self, environment: &BTreeMap<String, String>) -> Result<Config, Failure> {
        let flags = Layer {
            bind: self.bind,
            public_url: self.public_url,
            data: self.data,
            database_url: self.database_url,
            repositories: self.repositories,
            git: self.git,
            ..Layer::default()
        };
        Ok(config::resolve(flags, environment)?)
    }
}
