//! `countersign member list`: who is in a project.

use clap::Args;
use countersign_core::api::Items;
use countersign_core::api::project::MemberItem;

use crate::answer::Answer;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::pages;
use crate::paint::line;
use crate::table::table;

/// Owners of the workspace are owners of each project, also where they are not listed.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// The project, by name or id
    project: String,
}

impl List {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let project = find::project(&client, &self.project).await?.to_string();
        let members: Items<MemberItem> =
            pages::all(&client, &["api", "v1", "projects", &project, "members"], &[]).await?;
        let rows: Vec<[String; 4]> = members.items.iter().map(row).collect();
        let text = table(["ID", "ROLE", "MAIL", "NAME"], &rows, "The project has no members of its own.");
        Ok(Answer::new(&members, text))
    }
}

fn row(item: &MemberItem) -> [String; 4] {
    [item.user_id.to_string(), item.role.as_str().to_owned(), line(&item.mail), line(&item.name)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use countersign_core::id::UserId;
    use countersign_core::role::MemberRole;

    #[test]
    fn a_member_cannot_steer_the_list() {
        let user_id = UserId::parse("01900000-0000-7000-8000-000000000001").unwrap();
        let (name, mail) = ("Eve\u{1b}[2J".to_owned(), "eve@x.org\u{202e}".to_owned());
        let shown = row(&MemberItem { user_id, name, mail, role: MemberRole::Editor });
        assert_eq!(shown[1..], ["editor", "eve@x.org\\u{202e}", "Eve\\u{1b}[2J"]);
    }
}
