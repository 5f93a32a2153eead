//! `countersign repo import`: a repository from a folder of the server's machine.

use std::time::Duration;

use clap::Args;
use countersign_core::api::repository::{ImportRepository, RepositoryItem};
use countersign_fetch::Method;

use super::told;
use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;

/// As long as the server lets an import run.
const PATIENCE: Duration = Duration::from_mins(11);

/// Needs an owner of the workspace.
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// An absolute path on the server's machine
    folder: String,
    /// Its name here
    #[arg(long)]
    name: String,
    /// The project that it goes to, by name or id
    #[arg(long)]
    project: String,
}

impl Import {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let project_id = find::project(&client, &self.project).await?;
        let body = ImportRepository { folder: self.folder, name: self.name, project_id };
        let route = ["api", "v1", "repositories", "import"];
        let made: RepositoryItem = client.patient(PATIENCE).send(Method::Post, &route, &body).await?;
        Ok(Answer::new(&made, told(&made)))
    }
}
