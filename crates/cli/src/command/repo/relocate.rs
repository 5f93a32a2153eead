//! `countersign repo move`: a repository goes to another project.

use clap::Args;
use countersign_core::api::repository::ChangeRepository;

use super::change;
use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;

/// Connections that do not have the new project lose sight of it at their next call.
#[derive(Args, Debug)]
pub(crate) struct Relocate {
    /// The repository, by name or id
    repository: String,
    /// The project that it goes to, by name or id
    project: String,
}

impl Relocate {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let project_id = Some(find::project(&client, &self.project).await?);
        let wish = ChangeRepository { project_id, ..ChangeRepository::default() };
        change(&client, &self.repository, wish).await
    }
}
