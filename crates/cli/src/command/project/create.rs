//! `countersign project create`: a new group of resources.

use clap::Args;
use countersign_core::api::project::{MakeProject, ProjectItem};
use countersign_fetch::Method;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::line;

/// Needs an owner of the workspace.
#[derive(Args, Debug)]
pub(crate) struct Create {
    /// Its name
    name: String,
}

impl Create {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let body = MakeProject { name: self.name };
        let made: ProjectItem =
            context.client()?.send(Method::Post, &["api", "v1", "projects"], &body).await?;
        Ok(Answer::new(&made, format!("{}  {}", made.id, line(&made.name))))
    }
}
