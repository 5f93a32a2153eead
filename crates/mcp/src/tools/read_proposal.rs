//! `read_proposal`: one proposal of this connection, whole.

use countersign_app::App;
use countersign_app::gate::Action;
use countersign_app::proposal::read::{self, Facts};
use countersign_core::caller::Caller;
use countersign_core::id::ProposalId;
use countersign_core::problem::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::text;
use crate::tool::Tool;

pub(super) struct ReadProposal;

/// Read one of this connection's proposals: what it froze, where it stands, and why it ended.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    proposal_id: ProposalId,
}

impl Tool for ReadProposal {
    const ACTION: Action = read::READ_MINE;
    type Input = Input;
    type Output = Facts;

    async fn run(app: &App, caller: &Caller, input: Input) -> Result<Facts, Problem> {
        read::read_mine(app, caller, input.proposal_id).await
    }

    /// The model wrote the files itself: it gets their paths and sizes, programs get all of them.
    fn text(facts: &Facts) -> String {
        let mut short = serde_json::to_value(facts).unwrap_or(Value::Null);
        let files = facts.files.iter().map(|file| json!({ "path": file.path, "bytes": file.content.len() }));
        short["files"] = files.collect();
        text::facts(&short)
    }
}
