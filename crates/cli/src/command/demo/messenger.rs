//! The agent's process, and the lines of JSON that it prints: `{"authorize": "http://…"}`.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::failure::Failure;

/// How long one step of the agent may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// The running agent.
pub(super) struct Messenger {
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Messenger {
    /// Starts this same binary as an agent that is told `url` and nothing else.
    #[expect(clippy::disallowed_methods, reason = "the demo's agent is a process of its own")]
    pub(super) fn start(url: &str) -> Result<Self, Failure> {
        let this = std::env::current_exe().map_err(Failure::server)?;
        let mut command = Command::new(this);
        command.args(["demo-agent", url]).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        command.env_clear();
        let mut process = command.spawn().map_err(Failure::server)?;
        let stdout = process.stdout.take().ok_or_else(|| Failure::demo("the agent has no output"))?;
        Ok(Self { process, lines: BufReader::new(stdout).lines() })
    }

    /// The value of the next line, which must be of that name.
    pub(super) async fn wait_for(&mut self, name: &str) -> Result<String, Failure> {
        let waited = tokio::time::timeout(PATIENCE, self.lines.next_line()).await;
        let line = waited.map_err(|_| Failure::demo(format!("the agent does not get to `{name}`")))?;
        let line = line
            .map_err(Failure::server)?
            .ok_or_else(|| Failure::demo(format!("the agent ended before `{name}`")))?;
        let said: Value = serde_json::from_str(&line).unwrap_or(Value::Null);
        let value = said[name].as_str().map(str::to_owned);
        value.ok_or_else(|| Failure::demo(format!("the agent said `{line}` instead of `{name}`")))
    }

    /// Waits until it ends well.
    pub(super) async fn end(mut self) -> Result<(), Failure> {
        let waited = tokio::time::timeout(PATIENCE, self.process.wait()).await;
        let status = waited.map_err(|_| Failure::demo("the agent does not end"))?.map_err(Failure::server)?;
        if status.success() { Ok(()) } else { Err(Failure::demo(format!("the agent failed: {status}"))) }
    }
}
