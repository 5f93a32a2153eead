//! `countersign token …`: personal access tokens.

mod create;
mod list;
mod revoke;

use clap::Subcommand;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Token {
    /// Make a token; asks for mail and password
    Create(create::Create),
    /// List your tokens
    List(list::List),
    /// Revoke a token
    Revoke(revoke::Revoke),
}

impl Token {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::Create(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
            Self::Revoke(command) => command.run(context).await,
        }
    }
}
