//! `countersign verify …`: what the server signed.

mod audit;
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
    /// Ask the server whether its audit log is as it was sealed
    Audit(audit::Audit),
}

impl Verify {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::Commit(command) => command.run(context).await,
            Self::Audit(command) => command.run(context).await,
        }
    }
}
