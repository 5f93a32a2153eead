//! `countersign member …`: people in projects.

mod add;
mod list;
mod password;
pub(super) mod role;

use clap::Subcommand;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Member {
    /// Add a person to a project; a new person needs a name and a password
    Add(add::Add),
    /// List the members of a project
    List(list::List),
    /// Change the role of a member
    Role(role::Role),
    /// Give a person who lost their password a new one; it signs them out everywhere
    Password(password::Password),
}

impl Member {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::Add(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
            Self::Role(command) => command.run(context).await,
            Self::Password(command) => command.run(context).await,
        }
    }
}
