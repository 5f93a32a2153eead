//! `countersign invitation list`: what nobody has used, taken back or let end.

use clap::Args;
use countersign_core::api::Items;
use countersign_core::api::invitation::InvitationItem;

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
        let route = ["api", "v1", "invitations"];
        let open: Items<InvitationItem> = pages::all(&context.client()?, &route, &[]).await?;
        let rows: Vec<[String; 4]> = open.items.iter().map(row).collect();
        let text = table(["ID", "AS", "UNTIL", "MAIL"], &rows, "Nobody is invited.");
        Ok(Answer::new(&open, text))
    }
}

fn row(item: &InvitationItem) -> [String; 4] {
    [item.id.to_string(), item.role.as_str().to_owned(), item.expires_at.to_string(), line(&item.mail)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_address_cannot_steer_the_list() {
        let item = serde_json::json!({
            "id": "01900000-0000-7000-8000-000000000001", "mail": "a\u{1b}b@x.org", "role": "member",
            "project": null, "invited_by": "01900000-0000-7000-8000-000000000002",
            "created_at": "2026-11-30T00:00:00Z", "expires_at": "2026-12-07T00:00:00Z",
        });
        assert_eq!(row(&serde_json::from_value(item).unwrap())[3], "a\\u{1b}b@x.org");
    }
}
