//! A PostgreSQL of one test's own, which may be stopped under whoever uses it.

use std::path::Path;

use countersign_store::testing::Folder;
use tokio::process::Command;

/// How it is stopped before it starts again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its clients are told, what they have open is rolled back, what is in memory is written.
    Fast,
    /// At once, as in a crash; it recovers from its log.
    Immediate,
}

/// A running cluster, removed with the value.
#[derive(Debug)]
pub struct Cluster {
    home: Folder,
    url: String,
}

impl Cluster {
    /// Makes one on a free port, with the durable settings that it comes with.
    pub async fn start() -> Self {
        let home = Folder::new();
        let told = pg(home.path(), &["env"]).output().await.expect("scripts/pg.sh starts");
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        let url = told.trim().strip_prefix("export COUNTERSIGN_TEST_PG=");
        let url =
            url.unwrap_or_else(|| panic!("scripts/pg.sh says {told:?}; is PostgreSQL installed?")).to_owned();
        Self { home, url }
    }

    /// The address of its one database.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stops it and starts it again on the same port.
    pub async fn restart(&self, stop: Stop) {
        let mode = match stop {
            Stop::Fast => "fast",
            Stop::Immediate => "immediate",
        };
        let done = pg(self.home.path(), &["restart", mode]).status().await.expect("scripts/pg.sh starts");
        assert!(done.success(), "PostgreSQL does not start again");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = pg(self.home.path(), &["remove"]).into_std().status();
    }
}

fn pg(home: &Path, arguments: &[&str]) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/pg.sh");
    let mut command = Command::new(script);
    command.args(arguments).env("COUNTERSIGN_PG_HOME", home);
    command
}
