//! `countersign member …`: people in projects.

mod add;
mod role;

use clap::Subcommand;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Member {
    /// Add a person to a project; a new person needs a name and a password
    Add(add::Add),
    /// Change the role of a member
    Role(role::Role),
}

impl Member {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::Add(command) => command.run(context).await,
            Self::Role(command) => command.run(context).await,
        }
    }
}
