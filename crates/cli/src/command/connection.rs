//! `countersign connection …`: the connections of assistants.

mod list;
mod revoke;
mod show;

use clap::Subcommand;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Connection {
    /// List the connections that you may see
    List(list::List),
    /// Show a connection with its projects, tools and latest calls
    Show(show::Show),
    /// Revoke a connection for good
    Revoke(revoke::Revoke),
}

impl Connection {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::List(command) => command.run(context).await,
            Self::Show(command) => command.run(context).await,
            Self::Revoke(command) => command.run(context).await,
        }
    }
}
