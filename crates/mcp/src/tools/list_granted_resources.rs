//! `list_granted_resources`: what the owner granted to this connection.

use countersign_app::gate::Action;
use countersign_app::{App, resource};
use countersign_core::caller::Caller;
use countersign_core::problem::Problem;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tool::Tool;

pub(super) struct ListGrantedResources;

/// List the projects and single resources that the owner granted; call this first.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {}

impl Tool for ListGrantedResources {
    const ACTION: Action = resource::list::LIST_GRANTED;
    type Input = Input;
    type Output = resource::Granted;

    async fn run(app: &App, caller: &Caller, _: Input) -> Result<resource::Granted, Problem> {
        resource::list_granted(app, caller).await
    }
}
