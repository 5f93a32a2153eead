//! `countersign proposals approve`: the decision that lands a commit.

use clap::Args;
use countersign_core::api::proposal::Decided;
use countersign_core::id::ProposalId;
use countersign_fetch::Method;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::paint::{Tone, line};

/// Needs a token with `proposals:decide`.
#[derive(Args, Debug)]
pub(crate) struct Approve {
    /// The proposal's id, which `proposals list` shows
    #[arg(value_parser = find::id::<ProposalId>)]
    id: ProposalId,
}

impl Approve {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let id = self.id.to_string();
        let route = ["api", "v1", "proposals", &id, "approve"];
        let decided: Decided = context.client()?.send(Method::Post, &route, &serde_json::json!({})).await?;
        let commit = decided.commit.as_deref().map(line).unwrap_or_default();
        let again = if decided.replayed { " before; nothing was done again" } else { "" };
        let text = format!("{} {commit}{again}", context.paint.on(Tone::Good, decided.status.as_str()));
        Ok(Answer::new(&decided, text))
    }
}
