//! `countersign repo members` and `repo role`: who may do what on one repository.

use clap::Args;
use countersign_core::api::Items;
use countersign_core::api::repository::{ChangeRepositoryMember, RepositoryMemberItem};
use countersign_core::id::UserId;
use countersign_core::role::MemberRole;
use countersign_fetch::{Client, Method};

use crate::answer::Answer;
use crate::command::member::role::read_role;
use crate::context::Context;
use crate::failure::Failure;
use crate::find;
use crate::pages;
use crate::paint::line;
use crate::table::table;

/// With their role in the project and, where they have one, their own role on the repository, which counts instead.
#[derive(Args, Debug)]
pub(crate) struct Members {
    /// The repository, by name or id
    repository: String,
}

/// It counts instead of the role in the project, at the next call of every connection of that person.
#[derive(Args, Debug)]
pub(crate) struct Role {
    /// The repository, by name or id
    repository: String,
    /// The person's id, as `repo members` and `member list` show it
    #[arg(value_parser = find::id::<UserId>)]
    user: UserId,
    /// viewer, editor, maintainer or owner; `none` lets the role in the project count again
    #[arg(value_name = "ROLE", value_parser = read_wish)]
    to: Wish,
}

/// A role, or none.
#[derive(Clone, Copy, Debug)]
struct Wish(Option<MemberRole>);

fn read_wish(text: &str) -> Result<Wish, String> {
    if text == "none" { Ok(Wish(None)) } else { read_role(text).map(|role| Wish(Some(role))) }
}

impl Members {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let id = find::repository(&client, &self.repository).await?.to_string();
        list(&client, &id).await
    }
}

impl Role {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let id = find::repository(&client, &self.repository).await?.to_string();
        let user = self.user.to_string();
        let route = ["api", "v1", "repositories", &id, "members", &user];
        let () = client.send(Method::Patch, &route, &ChangeRepositoryMember { role: self.to.0 }).await?;
        list(&client, &id).await
    }
}

async fn list(client: &Client, id: &str) -> Result<Answer, Failure> {
    let items: Items<RepositoryMemberItem> =
        pages::all(client, &["api", "v1", "repositories", id, "members"], &[]).await?;
    let rows: Vec<[String; 5]> = items.items.iter().map(row).collect();
    let text = table(["ID", "ROLE", "PROJECT", "REPOSITORY", "NAME"], &rows, "Nobody has a role on it.");
    Ok(Answer::new(&items, text))
}

fn row(item: &RepositoryMemberItem) -> [String; 5] {
    let word = |role: Option<MemberRole>| role.map_or("-", MemberRole::as_str).to_owned();
    [
        item.user_id.to_string(),
        item.role.as_str().to_owned(),
        word(item.project_role),
        word(item.repository_role),
        format!("{} <{}>", line(&item.name), line(&item.mail)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_a_role_to_ask_for_and_owners_is_not() {
        assert!(read_wish("none").unwrap().0.is_none());
        assert_eq!(read_wish("editor").unwrap().0, Some(MemberRole::Editor));
        assert!(read_wish("owners").is_err());
    }
}
