//! `propose_gitnest_file_import`: one commit on a branch, if a person approves it.

use countersign_app::App;
use countersign_app::gate::Action;
use countersign_app::proposal::propose::{self, FileImport, Receipt};
use countersign_core::caller::Caller;
use countersign_core::gitnest::proposed::ProposedFile;
use countersign_core::id::ResourceId;
use countersign_core::problem::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::check::PRINTABLE;
use crate::tool::Tool;

pub(super) struct ProposeGitnestFileImport;

/// Propose one commit that adds or replaces whole files on an existing branch; nothing changes until a person
/// approves it, and it goes stale if the branch moves first. Retry with the same `idempotency_key`.
#[derive(Deserialize, Serialize, JsonSchema)]
pub(super) struct Input {
    repository_id: ResourceId,
    #[schemars(length(max = 200))]
    branch: String,
    #[schemars(length(min = 1, max = 16_384))]
    message: String,
    #[schemars(length(min = 1, max = 20))]
    files: Vec<File>,
    #[schemars(length(min = 8, max = 128), regex(pattern = PRINTABLE))]
    idempotency_key: String,
    /// The `head_oid` that you read.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_base_oid: Option<String>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct File {
    #[schemars(length(max = 2048))]
    path: String,
    #[schemars(length(max = 100_000))]
    content: String,
}

impl Tool for ProposeGitnestFileImport {
    const ACTION: Action = propose::PROPOSE_FILE_IMPORT;
    type Input = Input;
    type Output = Receipt;

    async fn run(app: &App, caller: &Caller, input: Input) -> Result<Receipt, Problem> {
        // The schema is closed and takes no null: written back, the arguments are what was sent.
        let arguments = serde_json::to_value(&input).map_err(Problem::internal)?;
        let files =
            input.files.into_iter().map(|file| ProposedFile { path: file.path, content: file.content });
        let import = FileImport {
            repository: input.repository_id,
            branch: input.branch,
            message: input.message,
            files: files.collect(),
            idempotency_key: input.idempotency_key,
            expected_base_oid: input.expected_base_oid,
            arguments,
        };
        propose::propose_file_import(app, caller, import).await
    }

    fn text(receipt: &Receipt) -> String {
        let again = if receipt.replayed { " This is the first answer to this key again." } else { "" };
        format!(
            "Proposal {} is {} on base {}, until {}. A person decides.{again}",
            receipt.proposal_id,
            receipt.status.as_str(),
            receipt.base_oid,
            receipt.expires_at,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_arguments_are_hashed_as_they_were_sent() {
        let id = "0190f0f0-0000-7000-8000-000000000001";
        let files = json!([{ "content": "b\u{0}\u{1f600}", "path": "a" }]);
        let bare = json!({ "files": files, "branch": "main", "message": "m", "repository_id": id,
            "idempotency_key": "12345678" });
        let mut whole = bare.clone();
        whole["expected_base_oid"] = json!("0".repeat(40));
        for sent in [bare, whole] {
            let input: Input = serde_json::from_value(sent.clone()).unwrap();
            assert_eq!(serde_json::to_value(&input).unwrap(), sent);
        }
    }
}
