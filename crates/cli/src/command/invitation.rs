//! `countersign invitation …`: people who may make an account, by a link that works once.

mod create;
mod list;
mod withdraw;

use clap::Subcommand;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Invitation {
    /// Invite somebody: prints the link to send them
    Create(create::Create),
    /// List the invitations that are open
    List(list::List),
    /// Take an invitation back
    Withdraw(withdraw::Withdraw),
}

impl Invitation {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::Create(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
            Self::Withdraw(command) => command.run(context).await,
        }
    }
}
