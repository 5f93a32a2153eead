//! `countersign repo import`: a repository from a URL, or from a folder of the server's machine.

use std::io::Write as _;
use std::time::Duration;

use clap::Args;
use countersign_core::api::repository::{
    ImportFromUrl, ImportItem, ImportRepository, ImportStep, RepositoryItem,
};
use countersign_core::id::ProjectId;
use countersign_fetch::{Client, Method};

use super::told;
use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;

/// As long as the server lets an import run.
const PATIENCE: Duration = Duration::from_mins(11);
/// How often the server is asked how far it is.
const LOOK: Duration = Duration::from_secs(1);

/// Needs an owner of the workspace. An import from a URL goes on when this command is stopped; the same command looks
/// at it again.
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// A URL that begins with https://, or an absolute path on the server's machine
    source: String,
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
        let project = find::project(&client, &self.project).await?;
        let made = if self.source.contains("://") {
            self.over_https(&client, project).await?
        } else {
            let body = ImportRepository { folder: self.source, name: self.name, project_id: project };
            let route = ["api", "v1", "repositories", "import"];
            client.patient(PATIENCE).send(Method::Post, &route, &body).await?
        };
        Ok(Answer::new(&made, told(&made)))
    }

    async fn over_https(self, client: &Client, project_id: ProjectId) -> Result<RepositoryItem, Failure> {
        let body = ImportFromUrl { url: self.source, name: self.name, project_id };
        let route = ["api", "v1", "repositories", "import-url"];
        let mut item: ImportItem = client.send(Method::Post, &route, &body).await?;
        let id = item.id.to_string();
        loop {
            match item.step {
                ImportStep::Done => break,
                ImportStep::Failed => return Err(Failure::Import(item.reason.unwrap_or_default())),
                ImportStep::Waiting
                | ImportStep::Receiving
                | ImportStep::Resolving
                | ImportStep::Checking => {}
            }
            // Beside the answer, which may be read by a program.
            let _ = write!(std::io::stderr(), "\r{:<60}", far(&item));
            tokio::time::sleep(LOOK).await;
            item = client.get(&["api", "v1", "repositories", &id, "import"], &[]).await?;
        }
        let _ = write!(std::io::stderr(), "\r{:<60}\r", "");
        Ok(client.get(&["api", "v1", "repositories", &id], &[]).await?)
    }
}

/// How far it is, in words.
fn far(item: &ImportItem) -> String {
    let percent = item.percent.unwrap_or_default();
    let mib = item.bytes.unwrap_or_default() >> 20;
    match item.step {
        ImportStep::Waiting => "Asking for the repository …".to_owned(),
        ImportStep::Receiving => format!("Receiving objects: {percent} %, {mib} MiB"),
        ImportStep::Resolving => format!("Putting objects together: {percent} %"),
        ImportStep::Checking => "Checking all of it …".to_owned(),
        ImportStep::Failed | ImportStep::Done => String::new(),
    }
}
