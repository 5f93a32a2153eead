//! `countersign repo …`: repositories.

mod create;
mod gitnest;
mod import;
mod list;
mod member;
mod relocate;
mod settings;

use clap::Subcommand;
use countersign_core::api::repository::{ChangeRepository, RepositoryItem};
use countersign_fetch::{Client, Method};

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::paint::line;

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Repo {
    /// Make a repository with a first README
    Create(create::Create),
    /// Import a repository from a folder on the server's machine
    Import(import::Import),
    /// List repositories
    List(list::List),
    /// Move a repository to another project
    Move(relocate::Relocate),
    /// Show a repository to agents, or hide it from them
    Gitnest(gitnest::Gitnest),
    /// Show or change what a repository protects and who decides
    Settings(settings::Settings),
    /// List who may do what on a repository
    Members(member::Members),
    /// Give a person a role on one repository, or take it away
    Role(member::Role),
}

impl Repo {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        match self {
            Self::Create(command) => command.run(context).await,
            Self::Import(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
            Self::Move(command) => command.run(context).await,
            Self::Gitnest(command) => command.run(context).await,
            Self::Settings(command) => command.run(context).await,
            Self::Members(command) => command.run(context).await,
            Self::Role(command) => command.run(context).await,
        }
    }
}

async fn change(client: &Client, repository: &str, change: ChangeRepository) -> Result<Answer, Failure> {
    let id = find::repository(client, repository).await?.to_string();
    let changed: RepositoryItem =
        client.send(Method::Patch, &["api", "v1", "repositories", &id], &change).await?;
    Ok(Answer::new(&changed, told(&changed)))
}

fn told(item: &RepositoryItem) -> String {
    let agents = if item.gitnest { "agents with its project see it" } else { "agents do not see it" };
    format!(
        "{}  {}\nproject  {}\ngitnest  {agents}\nclone    {}",
        item.id,
        line(&item.name),
        item.project_id,
        line(&item.clone_url)
    )
}
