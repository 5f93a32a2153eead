//! `countersign proposals …`: look at what waits, and decide it.

mod approve;
mod decline;
mod list;
mod show;

use clap::Subcommand;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Proposals {
    /// List the proposals that you may see
    List(list::List),
    /// Show the frozen facts of a proposal, its changes and where it stands
    Show(show::Show),
    /// Approve a proposal: its commit lands once
    Approve(approve::Approve),
    /// Decline a proposal, with a reason that the agent reads
    Decline(decline::Decline),
}

impl Proposals {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::List(command) => command.run(context).await,
            Self::Show(command) => command.run(context).await,
            Self::Approve(command) => command.run(context).await,
            Self::Decline(command) => command.run(context).await,
        }
    }
}
