//! `countersign project list`: the projects that the token's person sees.

use clap::Args;
use countersign_core::api::Items;
use countersign_core::role::MemberRole;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::paint::line;
use crate::table::table;

/// With the role that you have in each.
#[derive(Args, Debug)]
pub(crate) struct List {}

impl List {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let items = find::projects(&context.client()?).await?;
        let rows: Vec<[String; 3]> = items
            .iter()
            .map(|item| {
                [item.id.to_string(), item.role.map_or("–", MemberRole::as_str).to_owned(), line(&item.name)]
            })
            .collect();
        let text = table(["ID", "ROLE", "NAME"], &rows, "There is no project that you may see.");
        Ok(Answer::new(&Items { items, next: None }, text))
    }
}
