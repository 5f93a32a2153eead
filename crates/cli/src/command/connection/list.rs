//! `countersign connection list`: your connections and, for an owner of the workspace, everybody's.

use clap::Args;
use countersign_core::api::Items;
use countersign_core::api::connection::ConnectionItem;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::pages;
use crate::paint::line;
use crate::table::table;

/// The newest first.
#[derive(Args, Debug)]
pub(crate) struct List {}

impl List {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let route = ["api", "v1", "connections"];
        let connections: Items<ConnectionItem> = pages::all(&context.client()?, &route, &[]).await?;
        let rows: Vec<[String; 5]> = connections.items.iter().map(row).collect();
        let text = table(["ID", "STATE", "OWNER", "PROJECTS", "NAME"], &rows, "There is no connection.");
        Ok(Answer::new(&connections, text))
    }
}

fn row(item: &ConnectionItem) -> [String; 5] {
    [
        item.id.to_string(),
        item.state.as_str().to_owned(),
        line(&item.owner),
        line(&item.projects.join(", ")),
        line(&item.name),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_others_cannot_steer_the_list() {
        let item = serde_json::json!({
            "id": "01900000-0000-7000-8000-000000000001", "name": "a\u{1b}b", "kind": "vscode",
            "state": "active", "client": null, "owner": "o", "projects": ["p", "q\u{202e}"],
            "created_at": "2026-11-30T00:00:00Z", "used_at": null, "waiting": 0,
        });
        let shown = row(&serde_json::from_value(item).unwrap());
        assert_eq!(shown[1..], ["active", "o", "p, q\\u{202e}", "a\\u{1b}b"]);
    }
}
