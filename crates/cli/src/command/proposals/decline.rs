//! `countersign proposals decline`: the decision that lands nothing.

use clap::Args;
use countersign_core::api::proposal::{Decided, DeclineProposal};
use countersign_core::id::ProposalId;
use countersign_fetch::Method;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::paint::Tone;

/// Needs a token with `proposals:decide`.
#[derive(Args, Debug)]
pub(crate) struct Decline {
    /// The proposal's id, which `proposals list` shows
    #[arg(value_parser = find::id::<ProposalId>)]
    id: ProposalId,
    /// Why; the agent reads it
    #[arg(long)]
    reason: String,
}

impl Decline {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let id = self.id.to_string();
        let route = ["api", "v1", "proposals", &id, "decline"];
        let body = DeclineProposal { reason: self.reason };
        let decided: Decided = context.client()?.send(Method::Post, &route, &body).await?;
        let again = if decided.replayed { " before; nothing was done again" } else { "" };
        Ok(Answer::new(
            &decided,
            format!("{}{again}", context.paint.on(Tone::Waiting, decided.status.as_str())),
        ))
    }
}
