//! `countersign repo create`: a repository with a first README, or empty.

use clap::Args;
use countersign_core::api::repository::{MakeRepository, RepositoryItem};
use countersign_fetch::Method;

use super::told;
use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;

/// Agents see it once GitNest is on for it.
#[derive(Args, Debug)]
pub(crate) struct Create {
    /// Its name
    name: String,
    /// The project that it goes to, by name or id
    #[arg(long)]
    project: String,
    /// Begin without a commit, to push what is there already
    #[arg(long)]
    empty: bool,
}

impl Create {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let project_id = find::project(&client, &self.project).await?;
        let body = MakeRepository { name: self.name, project_id, empty: self.empty };
        let made: RepositoryItem = client.send(Method::Post, &["api", "v1", "repositories"], &body).await?;
        Ok(Answer::new(&made, told(&made)))
    }
}
