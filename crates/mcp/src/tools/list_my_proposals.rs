//! `list_my_proposals`: what this connection proposed.

use countersign_app::App;
use countersign_app::gate::Action;
use countersign_app::proposal::list::{self, Page, Proposals};
use countersign_core::caller::Caller;
use countersign_core::problem::Problem;
use countersign_core::proposal::ProposalState;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tool::Tool;

pub(super) struct ListMyProposals;

/// List this connection's proposals, newest first; go on from `next_offset`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    status: Option<ProposalState>,
    offset: Option<u32>,
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
}

impl Tool for ListMyProposals {
    const ACTION: Action = list::LIST_MINE;
    type Input = Input;
    type Output = Proposals;

    async fn run(app: &App, caller: &Caller, input: Input) -> Result<Proposals, Problem> {
        let page = Page {
            status: input.status,
            offset: input.offset.unwrap_or(0) as usize,
            limit: input.limit.unwrap_or(20) as usize,
        };
        list::list_mine(app, caller, page).await
    }
}
