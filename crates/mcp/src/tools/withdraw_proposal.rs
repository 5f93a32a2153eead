//! `withdraw_proposal`: take a proposal back before a person decides it.

use countersign_app::App;
use countersign_app::gate::Action;
use countersign_app::proposal::close::{self, Closed};
use countersign_core::caller::Caller;
use countersign_core::id::ProposalId;
use countersign_core::problem::Problem;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tool::Tool;

pub(super) struct WithdrawProposal;

/// Withdraw one of this connection's proposals; refused once it was decided, safe to repeat.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    proposal_id: ProposalId,
}

impl Tool for WithdrawProposal {
    const ACTION: Action = close::WITHDRAW;
    type Input = Input;
    type Output = Closed;

    async fn run(app: &App, caller: &Caller, input: Input) -> Result<Closed, Problem> {
        close::withdraw(app, caller, input.proposal_id).await
    }

    fn text(closed: &Closed) -> String {
        format!("Proposal {} is {}.", closed.proposal_id, closed.status.as_str())
    }
}
