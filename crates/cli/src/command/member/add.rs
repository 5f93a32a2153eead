//! `countersign member add`: a person comes into a project.

use clap::Args;
use countersign_core::api::project::{AddMember, MemberItem};
use countersign_core::role::MemberRole;
use countersign_fetch::Method;

use super::role::read_role;
use crate::answer::Answer;
use crate::context::Context;
use crate::edge;
use crate::failure::Failure;
use crate::find;

/// A person who is new to the server also needs a name; their first password is asked for.
#[derive(Args, Debug)]
pub(crate) struct Add {
    /// The project, by name or id
    project: String,
    /// The person's mail address
    mail: String,
    /// viewer, editor, maintainer or owner
    #[arg(long, value_parser = read_role, default_value = "viewer")]
    role: MemberRole,
    /// The name of a person who is new here
    #[arg(long)]
    name: Option<String>,
}

impl Add {
    pub(super) async fn run(self, context: &Context) -> Result<Answer, Failure> {
        let client = context.client()?;
        let project = find::project(&client, &self.project).await?.to_string();
        let password = match &self.name {
            Some(_) => Some(edge::ask_secret("First password of the new person: ").map_err(Failure::Prompt)?),
            None => None,
        };
        let body = AddMember { mail: self.mail, name: self.name, password, role: self.role };
        let added: MemberItem =
            client.send(Method::Post, &["api", "v1", "projects", &project, "members"], &body).await?;
        Ok(Answer::new(&added, format!("{}  {}", added.user_id, added.role.as_str())))
    }
}
