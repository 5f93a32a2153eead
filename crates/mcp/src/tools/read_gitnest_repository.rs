//! `read_gitnest_repository`: branches, and a folder or some lines of a file.

use countersign_app::App;
use countersign_app::gate::Action;
use countersign_app::repository::read::{self, Contents, ReadRequest};
use countersign_core::caller::Caller;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::text;
use crate::tool::Tool;

pub(super) struct ReadGitnestRepository;

/// Read a repository's branches and one folder, or lines of one file; go on from `next_offset`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    repository_id: ResourceId,
    /// Branch or commit id.
    #[serde(rename = "ref")]
    #[schemars(length(max = 200))]
    reference: Option<String>,
    /// Default: the root.
    #[schemars(length(max = 2048))]
    path: Option<String>,
    offset: Option<u32>,
    #[schemars(range(min = 1, max = 400))]
    limit: Option<u32>,
}

impl Tool for ReadGitnestRepository {
    const ACTION: Action = read::READ;
    type Input = Input;
    type Output = Contents;

    async fn run(app: &App, caller: &Caller, input: Input) -> Result<Contents, Problem> {
        let request = ReadRequest {
            repository: input.repository_id,
            reference: input.reference,
            path: input.path,
            offset: input.offset.unwrap_or(0) as usize,
            limit: input.limit.map(|limit| limit as usize),
        };
        read::read(app, caller, request).await
    }

    /// Lines of a file as they are, between marks; everything else as facts.
    fn text(contents: &Contents) -> String {
        let Some(file) = contents.file.as_ref().filter(|file| !file.binary) else {
            return text::facts(contents);
        };
        let more = contents.next_offset.map(|next| format!(" More at offset {next}.")).unwrap_or_default();
        let heading = format!(
            "Lines {}-{} of {} at {}.{more}",
            file.from, file.to, file.total_lines, contents.head_oid
        );
        text::fenced(&heading, &file.text)
    }
}
