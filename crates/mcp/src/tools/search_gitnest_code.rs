//! `search_gitnest_code`: lines that hold a text.

use countersign_app::App;
use countersign_app::gate::Action;
use countersign_app::repository::search::{self, CodeMatches, SearchRequest};
use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tool::Tool;

pub(super) struct SearchGitnestCode;

/// Find lines that hold a text literally, whatever its case; narrow the search when the result is truncated.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    repository_id: ResourceId,
    #[schemars(length(min = 1, max = 200))]
    query: String,
    /// Branch or commit id.
    #[serde(rename = "ref")]
    #[schemars(length(max = 200))]
    reference: Option<String>,
    #[schemars(length(max = 2048))]
    path_prefix: Option<String>,
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
}

impl Tool for SearchGitnestCode {
    const ACTION: Action = search::SEARCH;
    type Input = Input;
    type Output = CodeMatches;

    async fn run(app: &App, caller: &Caller, input: Input) -> Result<CodeMatches, Problem> {
        let request = SearchRequest {
            repository: input.repository_id,
            query: input.query,
            reference: input.reference,
            path_prefix: input.path_prefix,
            limit: input.limit.map(|limit| limit as usize),
        };
        search::search(app, caller, request).await
    }
}
