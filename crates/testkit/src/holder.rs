//! Another program with the write lock of SQLite, as a backup or a person with a shell may have it.

use std::path::Path;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// Begins to write, says so, and goes on until its input ends.
const SCRIPT: &str = "import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute('BEGIN IMMEDIATE')
print('held', flush=True)
sys.stdin.read()
database.execute('ROLLBACK')
";

/// A process that holds it; ended with the value.
#[derive(Debug)]
pub struct Holder(Child);

impl Holder {
    /// Takes the write lock of a database.
    pub async fn of(database: &Path) -> Self {
        let mut python = Command::new("python3");
        python.args(["-c", SCRIPT]).arg(database).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = python.kill_on_drop(true).spawn().expect("python3 starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output is piped")).lines();
        let held = lines.next_line().await.expect("its output is readable");
        assert_eq!(held.as_deref(), Some("held"));
        Self(child)
    }

    /// Gives it back.
    pub async fn give_back(mut self) {
        drop(self.0.stdin.take());
        let ended = self.0.wait().await.expect("its end is seen");
        assert!(ended.success());
    }
}
