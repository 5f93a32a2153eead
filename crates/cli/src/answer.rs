//! What a command answers: the same facts for a script and for a person.

use std::process::ExitCode;

use serde::Serialize;
use serde_json::Value;

/// The answer of a command.
#[derive(Debug)]
pub(crate) struct Answer {
    /// For `--json`.
    pub(crate) json: Value,
    /// For a person; lines, without the last line ending.
    pub(crate) text: String,
    /// Whether what was looked at is as it should be.
    verdict: Verdict,
}

/// What a command that checks something found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing to say against it.
    Good,
    /// Something is wrong with what was checked; exit code 5.
    Wrong,
}

impl Answer {
    /// What was asked for.
    pub(crate) fn new(facts: &impl Serialize, text: impl Into<String>) -> Self {
        Self {
            json: serde_json::to_value(facts).unwrap_or(Value::Null),
            text: text.into(),
            verdict: Verdict::Good,
        }
    }

    /// The answer of a command that checks something.
    pub(crate) fn checked(self, verdict: Verdict) -> Self {
        Self { verdict, ..self }
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> ExitCode {
        match self.verdict {
            Verdict::Good => ExitCode::SUCCESS,
            Verdict::Wrong => ExitCode::from(5),
        }
    }
}
