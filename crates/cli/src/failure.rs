//! Why a command failed: code, sentence, next action, and an exit code that means something.

use std::path::PathBuf;
use std::process::ExitCode;

use countersign_core::problem::{Code, Problem};
use countersign_fetch::FetchError;
use countersign_server::config::ConfigError;
use serde_json::{Map, Value};

use crate::command::connect::Unreadable;

/// The exit codes, as `--help` tells them.
pub(crate) const EXITS: &str = "Exit codes: 0 done, 1 failed here, 2 wrong usage, 3 refused by the server, \
    4 not reached or busy (try again), 5 checked and found wrong.";

/// What who has no good token does.
const TOKEN_NEXT: &str = "Run `countersign token create` and put the token into COUNTERSIGN_TOKEN.";

/// A command that did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// What was asked for does not go together.
    #[error("{what}")]
    Usage {
        /// What does not.
        what: &'static str,
        /// What to pass instead.
        next: &'static str,
    },
    /// The call to the server brought nothing.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// There is no token, and the command needs one.
    #[error("there is no token")]
    NoToken,
    /// A name that names nothing, or several.
    #[error("{0}")]
    Name(String),
    /// The server could not import a repository; the reason is its own.
    #[error("the import failed: {0}")]
    Import(String),
    /// The answer does not reach whoever asked.
    #[error("the answer cannot be written")]
    Output(#[source] std::io::Error),
    /// The terminal gave nothing.
    #[error("the password cannot be read")]
    Prompt(#[source] std::io::Error),
    /// The configuration of this machine's server cannot be used; the sentence says where and why.
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    /// The server of this machine does not start or stopped, or its surroundings fail it.
    #[error("this machine's server cannot go on")]
    Server(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The environment names no folder of the person's own.
    #[error("there is no HOME in the environment")]
    NoHome,
    /// A file of a host cannot be read or written.
    #[error("{} cannot be read or written", path.display())]
    File {
        /// Where it is.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file of a host is not understood, and so not touched.
    #[error("{} is left as it is", path.display())]
    Unreadable {
        /// Where it is.
        path: PathBuf,
        /// What is not understood.
        #[source]
        why: Unreadable,
    },
    /// An operation at this machine's server was refused, or went wrong.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The demo does not go as it should.
    #[error("the demo failed: {0}")]
    Demo(String),
}

impl Failure {
    /// A failure of this machine's server or of what it stands on.
    pub(crate) fn server(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Server(cause.into())
    }

    /// A failure of the demo.
    pub(crate) fn demo(what: impl Into<String>) -> Self {
        Self::Demo(what.into())
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &str {
        match self {
            Self::Usage { .. } => "usage_wrong",
            Self::Fetch(error) => error.code(),
            Self::NoToken => "token_missing",
            Self::Name(_) => "name_unknown",
            Self::Import(_) => "import_failed",
            Self::Output(_) => "output_failed",
            Self::Prompt(_) => "password_unreadable",
            Self::Configuration(_) => "configuration_invalid",
            Self::Server(_) => "server_failed",
            Self::NoHome => "home_missing",
            Self::File { .. } => "file_inaccessible",
            Self::Unreadable { .. } => "file_unreadable",
            Self::Problem(problem) => problem.code.as_str(),
            Self::Demo(_) => "demo_failed",
        }
    }

    /// One sentence that the caller can carry out.
    pub(crate) fn next_action(&self) -> &str {
        match self {
            Self::Usage { next, .. } => next,
            Self::NoToken | Self::Fetch(FetchError::Token) => TOKEN_NEXT,
            Self::Fetch(FetchError::Refused(refusal)) if refusal.code == Code::Unauthenticated.as_str() => {
                TOKEN_NEXT
            }
            Self::Fetch(error) => error.next_action(),
            Self::Name(_) => "List what is there, and name one of them by its id.",
            Self::Import(_) => "Mend that, then run the same command again.",
            Self::Output(_) => {
                "It was done; make room or another place for the output, and look at what stands."
            }
            Self::Prompt(_) => "Pass the password as the first line of the standard input.",
            Self::Configuration(_) => "Correct it, and run it again; `countersign doctor` checks it.",
            Self::Server(_) => "Run `countersign doctor` to see the whole configuration.",
            Self::NoHome => "Set HOME, or for Codex CODEX_HOME, and run it again.",
            Self::File { .. } => "Make the file accessible to this user, or put the setting into it by hand.",
            Self::Unreadable { .. } => {
                "Mend the file or choose another --name; without --write the setting is printed."
            }
            Self::Problem(problem) => problem.next_action_of_people(),
            Self::Demo(_) => "Run it again; if it fails again, tell the maintainers.",
        }
    }

    /// The same facts for a script.
    pub(crate) fn json(&self) -> Value {
        let mut facts = match self {
            Self::Fetch(FetchError::Refused(refusal)) => refusal.facts.clone(),
            Self::Problem(problem) => problem.facts.clone(),
            Self::Usage { .. }
            | Self::Fetch(_)
            | Self::NoToken
            | Self::Name(_)
            | Self::Import(_)
            | Self::Output(_)
            | Self::Prompt(_)
            | Self::Configuration(_)
            | Self::Server(_)
            | Self::NoHome
            | Self::File { .. }
            | Self::Unreadable { .. }
            | Self::Demo(_) => Map::new(),
        };
        for (name, value) in
            [("code", self.code()), ("message", &self.to_string()), ("next_action", self.next_action())]
        {
            facts.insert(name.to_owned(), value.into());
        }
        let causes = self.causes();
        if !causes.is_empty() {
            facts.insert("causes".to_owned(), causes.into());
        }
        Value::Object(facts)
    }

    /// The chain of causes below the message.
    pub(crate) fn causes(&self) -> Vec<String> {
        let mut causes = Vec::new();
        let mut next = std::error::Error::source(self);
        while let Some(cause) = next {
            causes.push(cause.to_string());
            next = cause.source();
        }
        causes
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Fetch(error) if error.is_passing() => 4,
            Self::Fetch(FetchError::Refused(_)) | Self::Import(_) => 3,
            Self::Problem(problem) => of_problem(problem.code),
            Self::Usage { .. }
            | Self::NoToken
            | Self::NoHome
            | Self::Name(_)
            | Self::Fetch(FetchError::Address { .. } | FetchError::Token) => 2,
            Self::Fetch(_)
            | Self::Output(_)
            | Self::Prompt(_)
            | Self::Configuration(_)
            | Self::Server(_)
            | Self::File { .. }
            | Self::Unreadable { .. }
            | Self::Demo(_) => 1,
        })
    }
}

/// Checked and found wrong, busy, or failed.
fn of_problem(code: Code) -> u8 {
    const WRONG: [Code; 2] = [Code::BackupInvalid, Code::RestoreNotProven];
    const BUSY: [Code; 3] = [Code::RepositoryBusy, Code::RestoreUnderWay, Code::StoreUnavailable];
    if WRONG.contains(&code) {
        5
    } else if BUSY.contains(&code) {
        4
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_mistyped_is_wrong_usage() {
        let wrong = countersign_fetch::Origin::parse("localhost:8420").unwrap_err();
        for failure in [Failure::from(wrong), Failure::from(FetchError::Token), Failure::NoToken] {
            assert_eq!(failure.exit(), ExitCode::from(2), "{failure}");
        }
    }

    #[test]
    fn who_has_no_good_token_is_told_how_to_make_one() {
        for failure in [Failure::NoToken, Failure::from(FetchError::Token)] {
            assert_eq!(failure.next_action(), TOKEN_NEXT, "{failure}");
        }
    }

    #[test]
    fn a_script_is_told_the_causes_too() {
        let io = std::io::Error::other("said below");
        let told = Failure::server(countersign_server::StartError::Bind {
            bind: ([127, 0, 0, 1], 1).into(),
            source: io,
        });
        let causes = told.json()["causes"].to_string();
        assert!(causes.contains("127.0.0.1:1") && causes.contains("said below"), "{causes}");
        assert_eq!(Failure::NoToken.json().get("causes"), None);
    }

    #[test]
    fn no_cause_says_what_was_said_above_it() {
        let io = || std::io::Error::other("said once");
        let store = countersign_server::StartError::Folder {
            what: "the data folder",
            path: "/d".into(),
            source: io(),
        };
        let bind = countersign_server::StartError::Bind { bind: ([127, 0, 0, 1], 1).into(), source: io() };
        for failure in [Failure::server(store), Failure::server(bind)] {
            let told = failure.causes().join("\n");
            assert_eq!(told.matches("said once").count(), 1, "{told}");
        }
    }
}
