//! Programs that tests start as users do: with arguments, an environment and an input.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    path: PathBuf,
    folder: Option<PathBuf>,
    environment: Vec<(String, String)>,
    input: String,
}

impl Program {
    /// The one at a path, or of this name.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// In this folder.
    #[must_use]
    pub fn within(self, folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()), ..self }
    }

    /// With one more variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With this on its standard input.
    #[must_use]
    pub fn input(self, text: &str) -> Self {
        Self { input: text.to_owned(), ..self }
    }

    /// Runs it to its end.
    pub async fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Output {
        let mut command = Command::new(&self.path);
        command.args(arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let started = command.spawn();
        let mut child = started.unwrap_or_else(|error| panic!("no {} ({error})", self.path.display()));
        let mut input = child.stdin.take().expect("its input is piped");
        // A program that reads nothing may have closed it.
        let _ = input.write_all(self.input.as_bytes()).await;
        drop(input);
        child.wait_with_output().await.expect("it ends")
    }
}
