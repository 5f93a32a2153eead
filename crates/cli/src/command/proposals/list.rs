//! `countersign proposals list`: the queue.

use clap::Args;
use countersign_core::api::Items;
use countersign_core::api::proposal::ProposalItem;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::pages;
use crate::paint::line;
use crate::table::table;

/// What waits first, then what was decided last.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Only those in this state, such as `pending`
    #[arg(long)]
    status: Option<String>,
}

impl List {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let query: Vec<(&str, &str)> = self.status.iter().map(|status| ("status", status.as_str())).collect();
        let proposals: Items<ProposalItem> =
            pages::all(&context.client()?, &["api", "v1", "proposals"], &query).await?;
        let rows: Vec<[String; 6]> = proposals.items.iter().map(row).collect();
        let text = table(["ID", "STATUS", "REPOSITORY", "BRANCH", "AGENT", "TITLE"], &rows, "Nothing waits.");
        Ok(Answer::new(&proposals, text))
    }
}

fn row(item: &ProposalItem) -> [String; 6] {
    [
        item.id.to_string(),
        item.status.as_str().to_owned(),
        line(&item.repository),
        line(&item.branch),
        line(&item.agent),
        line(&item.title),
    ]
}
