//! `countersign project …`: groups of resources.

mod create;
mod list;

use clap::Subcommand;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Project {
    /// Make a project
    Create(create::Create),
    /// List the projects that you may see
    List(list::List),
}

impl Project {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::Create(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
        }
    }
}
