//! `countersign repo list`: the repositories that the token's person sees.

use clap::Args;
use countersign_core::api::Items;
use countersign_core::api::repository::RepositoryItem;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::paint::line;
use crate::table::table;

/// With the project of each, and whether agents see it.
#[derive(Args, Debug)]
pub(crate) struct List {}

impl List {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let items = find::repositories(&context.client()?).await?;
        let rows: Vec<[String; 4]> = items.iter().map(row).collect();
        let text =
            table(["ID", "PROJECT", "GITNEST", "NAME"], &rows, "There is no repository that you may see.");
        Ok(Answer::new(&Items { items, next: None }, text))
    }
}

fn row(item: &RepositoryItem) -> [String; 4] {
    let gitnest = if item.gitnest { "on" } else { "off" };
    [item.id.to_string(), item.project_id.to_string(), gitnest.to_owned(), line(&item.name)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_whether_agents_see_the_repository() {
        let item = serde_json::json!({
            "id": "01900000-0000-7000-8000-000000000001", "name": "a\u{1b}b", "gitnest": true,
            "project_id": "01900000-0000-7000-8000-000000000002", "default_branch": "main", "clone_url": "u",
        });
        let item: RepositoryItem = serde_json::from_value(item).unwrap();
        assert_eq!(row(&item)[2..], ["on", "a\\u{1b}b"]);
        assert_eq!(row(&RepositoryItem { gitnest: false, ..item })[2], "off");
    }
}
