//! `list_project_resources`: one kind of resource in a project.

use countersign_app::App;
use countersign_app::gate::Action;
use countersign_app::resource::{self, Listed, ProjectListing, ResourceKind};
use countersign_core::caller::Caller;
use countersign_core::id::ProjectId;
use countersign_core::problem::Problem;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tool::Tool;

pub(super) struct ListProjectResources;

/// List one kind of resource in a granted project, by name; go on from `next_offset`.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    project_id: ProjectId,
    resource_type: ResourceKind,
    #[schemars(length(max = 100))]
    search: Option<String>,
    offset: Option<u32>,
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
}

impl Tool for ListProjectResources {
    const ACTION: Action = resource::list::LIST_IN_PROJECT;
    type Input = Input;
    type Output = Listed;

    async fn run(app: &App, caller: &Caller, input: Input) -> Result<Listed, Problem> {
        let listing = ProjectListing {
            project: input.project_id,
            kind: input.resource_type,
            search: input.search,
            offset: input.offset.unwrap_or(0) as usize,
            limit: input.limit.unwrap_or(50) as usize,
        };
        resource::list_in_project(app, caller, listing).await
    }
}
