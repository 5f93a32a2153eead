//! `countersign verify …`: what the server signed.

mod commit;

use clap::Subcommand;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verify {
    /// Ask the server whether a commit carries its signature
    Commit(commit::Commit),
}

impl Verify {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::Commit(command) => command.run(context).await,
        }
    }
}
